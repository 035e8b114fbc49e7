import type { SecretFinder } from "../core/ports";
import { withoutSecrets } from "../core/secrets/mask";
import type { CliIo, Out } from "./io";

/** Finds nothing: the user wants to see everything. */
const NOTHING: SecretFinder = { find: async () => [] };

/** The same world, in which whatever is written has its secrets masked. */
export function maskedIo<Io extends CliIo>(io: Io): Io {
  return { ...io, stdout: maskedOut(io.stdout, io.secrets), stderr: maskedOut(io.stderr, io.secrets) };
}

/** The same world, in which secrets are shown. */
export function openIo<Io extends CliIo>(io: Io): Io {
  return { ...io, secrets: NOTHING };
}

/** A text is written whole or not at all, so that no secret is in two of them. Writes keep their order. */
function maskedOut(out: Out, secrets: SecretFinder): Out {
  let last: Promise<void> = Promise.resolve();
  return {
    get isTTY() {
      return out.isTTY;
    },
    write: (text) => {
      // One that failed has told whoever wrote it.
      last = Promise.all([withoutSecrets(text, secrets), Promise.allSettled([last])]).then(([masked]) =>
        out.write(masked),
      );
      return last;
    },
  };
}
