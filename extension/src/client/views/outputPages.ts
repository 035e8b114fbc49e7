import { err, ok, type Result } from "../../core/model/problem";
import type { ToolResult } from "../../core/model/transcript";
import type { FileAccess, SecretFinder, Utf8 } from "../../core/ports";
import type { FileReport } from "../../core/results/fileCheck";
import { pageAround, pageStarts } from "../../core/results/store/pages";
import { type Mask, maskedPart, secretKind } from "../../core/secrets/mask";
import { type OpenPlan, planOpening } from "../../node/openRules";
import type { OutputPage } from "../../protocol/webview";

/** Texts above this are not taken into memory for pages; their document shows them. Bytes of a file, UTF-16 units of a text. */
export const PAGED_LIMIT = 16 * 1024 * 1024;

/** What pages are read from; the session of a transcript is one. */
export interface PagedSession {
  readonly path: string;
  /** Undefined where nothing is masked. */
  readonly secrets: SecretFinder | undefined;
  /** What became of a result's file. */
  report(result: ToolResult): Promise<FileReport | undefined>;
  text(ref: NonNullable<ToolResult["body"]>): Promise<Result<string>>;
}

export interface OutputPagesParts {
  readonly files: FileAccess;
  readonly utf8: Utf8;
}

interface Paged {
  readonly key: string;
  readonly text: string;
  readonly starts: readonly number[];
  /** Masks in the text, and what each stands for. */
  readonly masks: readonly (Mask & { readonly secret: string })[];
  readonly valid: boolean;
}

/**
 * Pages through full outputs as OpenMausBot's store does. The text of the output that was looked at last is kept, with its secrets
 * masked before it is cut into pages. The error is a sentence for people.
 */
export class OutputPages {
  readonly #parts: OutputPagesParts;
  #kept: Paged | undefined;

  constructor(parts: OutputPagesParts) {
    this.#parts = parts;
  }

  /** The page in which an offset lies, UTF-16 units of the text with its secrets masked. */
  async page(session: PagedSession, result: ToolResult, offset: number): Promise<Result<OutputPage, string>> {
    const read = await this.#text(session, result);
    if (!read.ok) return read;
    const { text, starts, masks, valid } = read.value;
    const page = pageAround(text, starts, offset);
    // One that is cut between two pages can be shown in neither.
    const whole = masks.filter(({ start, end }) => start >= page.offset && end <= page.nextOffset);
    return ok({
      index: result.index,
      ...page,
      length: text.length,
      masked: masks.length > 0,
      masks: whole.map(({ start, end, units, rule }) => ({
        start: start - page.offset,
        end: end - page.offset,
        at: start,
        units,
        kind: secretKind(rule),
      })),
      valid,
    });
  }

  /** The secret whose mask begins at that offset of the text with its secrets masked. */
  async secret(session: PagedSession, result: ToolResult, at: number): Promise<Result<string, string>> {
    const read = await this.#text(session, result);
    if (!read.ok) return read;
    const mask = read.value.masks.find(({ start }) => start === at);
    return mask === undefined ? err("The output changed, and the secret is not there any more.") : ok(mask.secret);
  }

  /** Lets go of the text that is kept: what is masked in it is another question now. */
  forget(): void {
    this.#kept = undefined;
  }

  async #text(session: PagedSession, result: ToolResult): Promise<Result<Paged, string>> {
    const plan = planOpening(result, await session.report(result));
    switch (plan.from) {
      case "known-file":
        return this.#file(session, plan);
      case "transcript":
        return this.#inTranscript(session, result);
      case "ask":
        return err(ASKED_FIRST[plan.why]);
      case "nowhere":
        return err(plan.why);
    }
  }

  async #inTranscript(session: PagedSession, result: ToolResult): Promise<Result<Paged, string>> {
    const ref = result.fullText ?? result.body;
    if (ref === undefined) return err("The transcript holds no text for this result.");
    const { place, path } = ref;
    const key = JSON.stringify([session.path, place.row ?? [place.start, place.end], path]);
    if (this.#kept?.key === key) return ok(this.#kept);
    const text = await session.text(ref);
    if (!text.ok) return err(text.error.message);
    if (text.value.length > PAGED_LIMIT) return err(TOO_LARGE);
    return ok(await this.#keep(key, text.value, true, session));
  }

  async #file(session: PagedSession, { path, identity }: Known): Promise<Result<Paged, string>> {
    const { files, utf8 } = this.#parts;
    const stat = await files.stat(path);
    if (stat.kind === "missing") return err(`${path} is not there any more.`);
    if (stat.kind === "unreadable") return err(`${path} cannot be read: ${stat.reason}`);
    if (stat.kind !== "file") return err(`${path} is not a file.`);
    // A link or another file was put there since the folders were checked.
    if (stat.realPath !== path || (identity !== undefined && stat.identity !== identity))
      return err(`${path} leads somewhere else now. Select the result again.`);
    if (stat.bytes > PAGED_LIMIT) return err(TOO_LARGE);
    const key = JSON.stringify([path, stat.bytes, stat.mtimeMs]);
    if (this.#kept?.key === key) return ok(this.#kept);
    let bytes: Uint8Array;
    try {
      const source = await files.open(path, { identity });
      bytes = await source.read(0, Math.min(source.bytes, PAGED_LIMIT));
    } catch (error) {
      // It changed places after the look, or may not be read; anything without a code is a bug.
      if (!(error instanceof Error && "code" in error)) throw error;
      return err(`${path} cannot be read: ${String(error.code)}. Select the result again.`);
    }
    const { text, valid } = utf8.decode(bytes);
    return ok(await this.#keep(key, text, valid, session));
  }

  async #keep(key: string, text: string, valid: boolean, { secrets }: PagedSession): Promise<Paged> {
    const spans = secrets === undefined ? [] : await secrets.find(text);
    const { text: clean, masks: found } = maskedPart(text, spans, 0, text.length);
    const masks = found.map((mask) => ({ ...mask, secret: text.slice(mask.at, mask.at + mask.units) }));
    const kept = { key, text: clean, starts: pageStarts(clean), masks, valid };
    this.#kept = kept;
    return kept;
  }
}

type Known = Extract<OpenPlan, { readonly from: "known-file" }>;

const ASKED_FIRST = {
  outside: "The file lies outside the known spill folders. Open the full output: you are asked first.",
  "not-trusted": "This workspace is not trusted. Open the full output: you are asked first.",
} as const;

const TOO_LARGE = "The full output has more than 16 MiB, too much to page through here. Open the full output instead.";
