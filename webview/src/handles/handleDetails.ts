import { html, nothing, type TemplateResult } from "lit";
import type { HandleRow, MomentAsked, ReadRow, ResultAt } from "../../../extension/src/core/model/handlesPage";
import type { ReadPart } from "../../../extension/src/core/model/resultHandle";
import { button } from "../components/controls/button";
import { icon } from "../components/icon";
import { fileMarks } from "../components/marks";
import { middleTruncated } from "../components/text";
import { type Format, formatFor, UNKNOWN } from "../format";
import type { Actions } from "../session";
import { strings } from "../strings";
import { visibleLine } from "../visibleText";
import { handleStrings as words } from "./handleStrings";

export interface DetailsInput {
  readonly row: HandleRow;
  readonly moment: MomentAsked;
  readonly locale: string;
  readonly actions: Actions | null;
}

/** Everything about one handle: where it is kept, why it can or cannot be read, and each later call that has to do with it. */
export function handleDetails({ row, locale, actions }: DetailsInput): TemplateResult {
  const format = formatFor(locale);
  const fact = (name: string, value: unknown): TemplateResult => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const file = strings.files[row.file];
  return html`<div class="details">
    <p>${whyOf(row)}</p>
    <div class="actions">
      ${button({ label: words.showResult, kind: "primary", press: () => actions?.pickRow(row.row, true) })}
      ${button({ label: words.openTranscript, press: () => actions?.reveal(row.line) })}
    </div>
    <dl class="facts">
      ${fact(words.where, html`${row.file === "outside" ? words.anyFile : words.kinds[row.kind]} ${middleTruncated(row.name)}`)}
      ${
        row.file === "none"
          ? nothing
          : fact(
              words.file,
              html`<span class="with-icon" title=${file.tip}
                >${icon(fileMarks[row.file].icon, { tone: fileMarks[row.file].tone })}${file.word}</span
              >`,
            )
      }
      ${fact(
        words.saved,
        row.savedAt === null
          ? UNKNOWN
          : html`${timeOf(row.savedAt, locale)}${
              row.timeFrom === "call" ? html` <span class="quiet">${words.savedBy.call}</span>` : nothing
            }`,
      )}
      ${row.until === null ? nothing : fact(words.until, timeOf(row.until, locale))}
      ${fact(words.full, fullSize(row, format))} ${fact(words.inContext, words.chars(format.count(row.chars)))}
      ${row.copies === 0 ? nothing : fact(words.copies, words.copiesOf(format.count(row.copies)))}
    </dl>
    ${list(words.reads(format.count(row.readCount)), row.reads, row.readCount, format, (read) => readLine(read, format, actions))}
    ${list(words.repeats(format.count(row.repeatCount)), row.repeats, row.repeatCount, format, (one) => place(one, format, actions))}
    ${list(words.maybe(format.count(row.maybeCount)), row.maybe, row.maybeCount, format, (one) => place(one, format, actions))}
    ${row.unknownCalls === 0 ? nothing : html`<p class="quiet">${words.unknownCalls(format.count(row.unknownCalls))}</p>`}
  </div>`;
}

/** Why the handle can or cannot be read, as a sentence. */
export function whyOf({ why, file }: HandleRow): string {
  return why === "file-unchecked" && file === "not-checked" ? words.unseen : words.reasons[why];
}

function list<T>(
  title: string,
  shown: readonly T[],
  count: number,
  format: Format,
  one: (item: T) => TemplateResult,
): TemplateResult | typeof nothing {
  if (count === 0) return nothing;
  const more = count - shown.length;
  return html`<h3>${title}</h3>
    <ul class="calls">
      ${shown.map((item) => html`<li>${one(item)}</li>`)}
      ${more > 0 ? html`<li class="quiet">${words.more(format.count(more))}</li>` : nothing}
    </ul>`;
}

function readLine(read: ReadRow, format: Format, actions: Actions | null): TemplateResult {
  const told = [
    words.readOf(read.tool === null ? UNKNOWN : visibleLine(read.tool), words.ways[read.way]),
    ...(read.part === null ? [] : [partOf(read.part, format)]),
    ...(read.outcome === "read" ? [] : [words.outcomes[read.outcome]]),
    ...(read.chars === null || read.outcome !== "read" ? [] : [words.came(format.count(read.chars))]),
  ];
  return html`${opener(read, format, actions)} <span>${told.join(", ")}</span>`;
}

function place(one: ResultAt, format: Format, actions: Actions | null): TemplateResult {
  const call = one.call === null ? "" : `, ${words.callAt(format.count(one.call))}`;
  return html`${opener(one, format, actions)}
    <span>${one.tool === null ? UNKNOWN : visibleLine(one.tool)}${call}</span>`;
}

function opener({ line }: ResultAt, format: Format, actions: Actions | null): TemplateResult {
  return html`<button
    type="button"
    class="link"
    title=${words.openLine(format.count(line))}
    @click=${() => actions?.reveal(line)}
  >${words.line(format.count(line))}</button>`;
}

function partOf({ unit, from, to }: ReadPart, format: Format): string {
  // Half-open: line 20 is the last of the lines 1 to 21.
  if (unit === "lines")
    return words.lines(format.count(from), to === null ? null : format.count(Math.max(from, to - 1)));
  return words.units(format.count(from), to === null ? null : format.count(to));
}

function fullSize({ statedChars, statedRounded, keptUnits }: HandleRow, format: Format): string {
  if (statedChars !== null) return (statedRounded ? words.about : words.chars)(format.count(statedChars));
  if (keptUnits === null) return UNKNOWN;
  const [from, to] = keptUnits;
  return from === to ? words.fullExact(format.count(from)) : words.fullBetween(format.count(from), format.count(to));
}

/** A moment as the user's locale writes it, in their own time zone. */
export function timeOf(at: number, locale: string): string {
  const options = { dateStyle: "medium", timeStyle: "medium" } as const;
  return new Intl.DateTimeFormat(Intl.DateTimeFormat.supportedLocalesOf(locale)[0], options).format(at);
}
