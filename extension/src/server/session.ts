import type { DiagnosticOptions } from "../service/diagnostics";
import type { HoverOptions } from "../service/hover";
import type { Checks } from "./checks";

/** What the client said when it connected, and what was checked since. */
export interface Session {
  readonly checks: Checks;
  readonly diagnostics: DiagnosticOptions;
  readonly locale: string | undefined;
  readonly hover: HoverOptions;
  /** The client asks for diagnostics; otherwise they are pushed. */
  readonly pulls: boolean;
  readonly refreshes: boolean;
}
