import { basename } from "node:path";
import { err, ok, type Problem, type Result } from "../../core/model/problem";
import type { ResultRow, RowsAnswer, RowsRequest } from "../../core/model/rowQuery";
import type { SearchEnd, SearchQuery, SearchStep } from "../../core/model/search";
import type { BodyRef, RecordPlace, ToolResult, TranscriptHeader } from "../../core/model/transcript";
import type { TranscriptEvent } from "../../core/model/transcriptEvent";
import type { Cancel } from "../../core/ports";
import type { FileReport } from "../../core/results/fileCheck";
import { compileQuery } from "../../core/transcript/search";
import type {
  Detail,
  EventName,
  Events,
  FileStatus,
  FullState,
  Header,
  Overview,
  Phase,
  ProblemRow,
  RowsNews,
} from "../../protocol/webview";
import { CancelSource, type Disposable, Lifetime, Signal } from "../lifetime";
import { previewOf, toDetail } from "./detail";
import { FileChecks } from "./fileChecks";
import { LiveSource } from "./liveSource";
import { grewFrom, updatedRows } from "./liveUpdate";
import { type Numbers, numbersFor } from "./numbers";
import { ledgerPlace, toOverview } from "./overview";
import { initialFileStatus, toRow } from "./rows";
import type { SessionPorts } from "./sessionPorts";
import { newRun, type Run, takeEvents } from "./transcriptRun";
import { WhatIf } from "./whatIf";

/** An event for the page. */
export type SessionEvent = { readonly [E in EventName]: { readonly e: E; readonly body: Events[E] } }[EventName];

/** Rows are told at most this often, in milliseconds: quick to the eye, cheap for the page. */
const TELL_EVERY_MS = 120;

/** One open transcript: reads it, keeps its rows, looks at its spill files, and tells whoever listens. */
export class InspectorSession implements Disposable {
  readonly path: string;
  readonly whatIf: WhatIf;
  readonly #ports: SessionPorts;
  readonly #locale: string;
  readonly #numbers: Numbers;
  readonly #lifetime = new Lifetime();
  readonly #events: Signal<SessionEvent>;
  readonly #files: FileChecks;
  #reading: CancelSource | undefined;
  #run: Run;
  #finished: Promise<void> = Promise.resolve();
  #revision = 0;
  #rowsRevision = 0;
  #filesTold: Disposable | undefined;
  /** Follows the file; a session of the tree does not. */
  #live: LiveSource | undefined;

  constructor(path: string, ports: SessionPorts, locale: string) {
    this.path = path;
    this.#ports = ports;
    this.#locale = locale;
    this.#numbers = numbersFor(locale);
    this.#run = newRun();
    const failed = (error: unknown): void => ports.log.error("Inspector", error);
    const { simulate, config } = ports;
    this.#events = this.#lifetime.add(new Signal<SessionEvent>(failed));
    this.whatIf = this.#lifetime.add(
      new WhatIf({
        simulate: simulate && ((onProgress) => simulate(path, onProgress)),
        config: config && ((agent) => config(path, agent)),
        tell: (event) => this.#fire(event),
        log: ports.log,
      }),
    );
    this.#files = this.#lifetime.add(
      new FileChecks({
        check: (result, cancel) => this.#check(result, cancel),
        found: (statuses) => this.#filesFound(statuses),
        failed,
      }),
    );
  }

  /** Grows with every event. */
  get revision(): number {
    return this.#revision;
  }

  get onEvent(): (listener: (event: SessionEvent) => void) => Disposable {
    return this.#events.on;
  }

  /** Resolves when the reading that runs now has ended, in whatever way. */
  get finished(): Promise<void> {
    return this.#finished;
  }

  get phase(): Phase {
    return this.#run.phase;
  }

  result(index: number): ToolResult | undefined {
    return this.#run.results[index];
  }

  /** True once the thread was read. */
  hasThread(id: string): boolean {
    return this.#run.threads.has(id);
  }

  /** Place of the record that begins on this 1-based line and holds a result or a call, or is a problem; undefined when none is known. */
  recordAt(line: number): RecordPlace | undefined {
    const run = this.#run;
    return (
      run.results.find((result) => result.place.line === line)?.place ??
      run.problemPlaces.get(line) ??
      run.timeline.placeAt(line) ??
      ledgerPlace(run.ledger, line)
    );
  }

  /** Places of a database are rows; a text editor has nothing to show of it. */
  get isDatabase(): boolean {
    return this.#run.header?.format.endsWith("-db") === true;
  }

  /** The whole row of a database, as JSON for people. */
  async row(place: RecordPlace): Promise<Result<string>> {
    const { readRow } = this.#ports;
    if (readRow === undefined) throw new Error("rows cannot be read here");
    return readRow(this.path, place);
  }

  /** Reads the transcript from its beginning; what was read before is forgotten. */
  read(): void {
    this.#reading?.cancel();
    this.#files.reset();
    this.whatIf.stale();
    const source = new CancelSource();
    this.#reading = source;
    this.#run = newRun();
    this.#rowsRevision++;
    this.#fire({ e: "state/full", body: this.full() });
    this.#finished = this.#readAll(this.#run, source);
  }

  /** Takes what is written to the file from now on into the view, until the session ends. Call it before the first `read`. */
  follow(): void {
    const { follow } = this.#ports;
    if (follow === undefined || this.#live !== undefined) return;
    this.#live = this.#lifetime.add(
      new LiveSource({
        follow: (heard) => follow(this.path, heard),
        after: (ms, run) => this.#ports.after(ms, run),
        settled: () => this.#finished,
        reread: (cancel) => this.#reread(cancel),
        liveChanged: (live) => {
          this.#fire({ e: "state/live", body: { live } });
          // What waited for the end of a torn line is told when nobody writes any more.
          if (this.#run.phase === "done") this.#tellUpdate();
        },
        gone: () => this.#goneAway(),
        failed: (error) => this.#ports.log.error(`Following ${this.path} failed`, error),
      }),
    );
  }

  /** False while every page of it is hidden: then what is written is not read. */
  setShown(shown: boolean): void {
    this.#live?.setActive(shown);
  }

  /** Reads the file again beside what is shown, and then shows what changed. */
  async #reread(cancel: CancelSource): Promise<void> {
    const old = this.#run;
    // After a failure or a cancel the user decides.
    if (old.phase !== "done" && old.phase !== "failed") return;
    const next = newRun();
    await this.#ports.index(this.path, (events) => takeEvents(next, events), cancel);
    if (cancel.isCancellationRequested || old !== this.#run || this.#lifetime.disposed) return;
    if (next.header === undefined) {
      // Cut to nothing, or in the middle of being replaced: what was read stays, and the reason is listed.
      const [why] = next.problems;
      if (why !== undefined) this.#alsoSay(old, why);
      return;
    }
    next.phase = "done";
    next.told = true;
    this.#run = next;
    this.whatIf.stale();
    const isSame = grewFrom(old, next);
    if (!isSame) {
      this.#files.reset();
      old.rows.truncate(0);
    }
    const changed = updatedRows(old, next, (result) => {
      const before = old.rows.get(result.index);
      const known = before?.path === (result.persisted?.path ?? null) ? before?.file : undefined;
      return this.#row(result, known);
    });
    next.fresh = new Set();
    next.freshProblems = [];
    this.#rowsRevision++;
    if (isSame) this.#tellUpdate();
    else this.#fire({ e: "state/full", body: this.full() });
    this.#files.add(changed.flatMap(({ index }) => next.results[index] ?? []));
  }

  #tellUpdate(): void {
    const { summary, problemsOmitted } = this.#run;
    this.#fire({
      e: "state/update",
      body: {
        header: this.#header(),
        threads: summary.threads(),
        rows: this.#news(),
        problems: this.#problems(),
        problemsOmitted,
      },
    });
  }

  #news(): RowsNews {
    return { revision: this.#rowsRevision, count: this.#run.rows.count };
  }

  #row(result: ToolResult, known?: FileStatus): ResultRow {
    const { index } = result;
    const file = this.#files.report(index)?.status ?? known ?? initialFileStatus(result);
    return toRow(result, this.#unit(), file, this.#run.left.leftBy(index)?.place);
  }

  #goneAway(): void {
    const message = `${this.path} is not there any more. What was read of it is still shown; it is read again when it comes back.`;
    this.#alsoSay(this.#run, { code: "file-gone", severity: "warning", message, line: null });
  }

  #alsoSay(run: Run, problem: ProblemRow): void {
    if (run.phase !== "done" || run.problems.some(({ code }) => code === problem.code)) return;
    run.problems.push(problem);
    this.#tellUpdate();
  }

  /** A last line that is still being written is no problem yet. */
  #problems(): readonly ProblemRow[] {
    const { problems } = this.#run;
    return this.#live?.live === true ? problems.filter(({ code }) => code !== "torn-last-line") : problems;
  }

  /** Stops reading; what was read stays. */
  cancelReading(): void {
    this.#reading?.cancel();
  }

  /** Looks at every spill file again, after the user said where a home lies now. */
  recheckFiles(): void {
    const results = this.#run.results;
    this.#files.reset();
    for (const result of results) if (result !== undefined) this.#run.rows.set(this.#row(result));
    this.#rowsRevision++;
    this.#fire({ e: "state/full", body: this.full() });
    this.#files.add(results);
  }

  full(): FullState {
    const run = this.#run;
    return {
      phase: run.phase,
      progress: run.phase === "reading" ? run.progress : null,
      header: this.#header(),
      threads: run.summary.threads(),
      rows: this.#news(),
      problems: this.#problems(),
      problemsOmitted: run.problemsOmitted,
      error: run.error,
      live: this.#live?.live ?? false,
      locale: this.#locale,
    };
  }

  /** A part of the rows. They may change while it is looked up: then the revision is the older one, and news follow. */
  async rows(request: RowsRequest, cancel: Cancel): Promise<RowsAnswer & { readonly revision: number }> {
    const revision = this.#rowsRevision;
    return { ...(await this.#run.rows.query(request, cancel)), revision };
  }

  overview(thread: string | null): Overview {
    return toOverview(this.#run, thread);
  }

  /** Looks inside the results that are known now. The error is a sentence for people. */
  async search(
    query: SearchQuery,
    cancel: Cancel,
    onStep: (step: SearchStep) => void,
  ): Promise<Result<SearchEnd, string>> {
    const compiled = compileQuery(query);
    if (!compiled.ok) return compiled;
    // `filter` also leaves out the holes of an index that was skipped.
    const targets = this.#run.results
      .filter((result) => result !== undefined)
      .flatMap(({ index, body }) => (body === undefined ? [] : [{ index, ref: body }]));
    let end: SearchEnd = "done";
    const heard = (step: SearchStep): void => {
      end = step.end ?? end;
      onStep(step);
    };
    await this.#ports.search(this.path, targets, query, heard, cancel);
    return ok(end);
  }

  async detail(index: number): Promise<Result<Detail>> {
    const result = this.result(index);
    if (!result) return err(noSuchRow(index));
    const [body, report] = await Promise.all([this.#bodyOf(result), this.report(result)]);
    return ok(
      toDetail({
        result,
        unit: this.#unit(),
        body: body?.ok ? body.value : undefined,
        bodyProblem: body && !body.ok ? body.error.message : undefined,
        report,
        leftBy: this.#run.left.leftBy(index),
        numbers: this.#numbers,
      }),
    );
  }

  /** What became of a result's spill file; undefined when it names none. */
  async report(result: ToolResult): Promise<FileReport | undefined> {
    return result.persisted?.path === undefined ? undefined : this.#files.now(result);
  }

  /** Preview of a result, or its whole text where there is no notice. */
  async preview(result: ToolResult): Promise<Result<string>> {
    const body = await this.#bodyOf(result);
    if (!body) return ok("");
    return body.ok ? ok(previewOf(result, body.value)) : body;
  }

  async text(ref: BodyRef): Promise<Result<string>> {
    const read = await this.#ports.readText(this.path, ref);
    return read.ok ? ok(read.value.text) : read;
  }

  dispose(): void {
    this.#reading?.cancel();
    this.#run.flush?.dispose();
    this.#filesTold?.dispose();
    this.#ports.dispose?.();
    this.#lifetime.dispose();
  }

  async #readAll(run: Run, source: CancelSource): Promise<void> {
    let broken: string | undefined;
    try {
      await this.#ports.index(this.path, (events) => this.#take(run, events), source);
    } catch (error) {
      this.#ports.log.error(`Reading ${this.path} failed`, error);
      broken = `Reading ${this.path} failed. The log of Context Budget says why; reload to try again.`;
    }
    if (run !== this.#run || this.#lifetime.disposed) return;
    this.#flush(run);
    const cancelled = source.isCancellationRequested;
    run.phase = cancelled ? "cancelled" : !broken && run.header ? "done" : "failed";
    if (run.phase === "failed") run.error = broken ?? whyFailed(run, this.path);
    this.#fire({
      e: "state/phase",
      body: { phase: run.phase, error: run.error, header: this.#header(), problemsOmitted: run.problemsOmitted },
    });
  }

  #take(run: Run, events: readonly TranscriptEvent[]): void {
    if (run !== this.#run || this.#lifetime.disposed) return;
    takeEvents(run, events);
    if (run.flush) return;
    // The first rows go out at once; later ones in batches.
    if (!run.told && (run.fresh.size > 0 || run.header)) this.#flush(run);
    run.flush = this.#ports.after(TELL_EVERY_MS, () => {
      run.flush = undefined;
      this.#flush(run);
    });
  }

  #flush(run: Run): void {
    run.flush?.dispose();
    run.flush = undefined;
    if (run !== this.#run || this.#lifetime.disposed) return;
    run.told = true;
    const fresh = [...run.fresh];
    run.fresh = new Set();
    const results: ToolResult[] = [];
    for (const index of fresh) {
      const result = run.results[index];
      if (!result) continue;
      run.rows.set(this.#row(result));
      results.push(result);
    }
    if (fresh.length > 0) this.#rowsRevision++;
    const live = this.#live?.live === true;
    const problems = run.freshProblems.filter(({ code }) => !live || code !== "torn-last-line");
    run.freshProblems = [];
    this.#fire({
      e: "state/append",
      body: {
        header: this.#header(),
        threads: run.summary.threads(),
        rows: this.#news(),
        problems,
        progress: run.progress,
      },
    });
    if (run.header) this.#files.add(results);
  }

  /** Statuses come a few at a time; the page hears of them at the pace of the rows. */
  #filesFound(statuses: readonly (readonly [number, FileStatus])[]): void {
    this.#run.rows.setFiles(statuses);
    this.#filesTold ??= this.#ports.after(TELL_EVERY_MS, () => {
      this.#filesTold = undefined;
      this.#rowsRevision++;
      this.#fire({ e: "rows/changed", body: this.#news() });
    });
  }

  async #check(result: ToolResult, cancel: CancelSource): Promise<FileReport> {
    const header = this.#run.header;
    if (!header) return NOT_CHECKED;
    const body = result.persisted?.preview ? await this.#bodyOf(result) : undefined;
    const preview = body?.ok ? previewOf(result, body.value) : undefined;
    return this.#ports.checkFile(this.path, header, result, preview, cancel);
  }

  async #bodyOf(result: ToolResult): Promise<Result<string> | undefined> {
    return result.body ? this.text(result.body) : undefined;
  }

  #fire(event: SessionEvent): void {
    this.#revision++;
    this.#events.fire(event);
  }

  #unit(): TranscriptHeader["unit"] {
    return this.#run.header?.unit ?? "utf16";
  }

  #header(): Header | null {
    const { header, summary } = this.#run;
    if (!header) return null;
    const { format, agent, unit, model, sessionId } = header;
    const title = sessionId ?? basename(this.path);
    return { ...summary.totals(), file: this.path, title, format, agent, unit, model: model ?? null };
  }
}

/** Nobody can look before the agent is known. */
const NOT_CHECKED: FileReport = {
  status: "not-checked",
  resolvedPath: undefined,
  realChars: undefined,
  realBytes: undefined,
  ageMs: undefined,
  inKnownFolder: false,
  canRebase: false,
  notes: [],
};

function whyFailed(run: Run, path: string): string {
  return run.problems[0]?.message ?? `${path} is not a transcript of a known format.`;
}

function noSuchRow(index: number): Problem {
  return {
    code: "no-such-row",
    severity: "error",
    message: `There is no result with number ${index + 1} any more; reload the transcript.`,
  };
}
