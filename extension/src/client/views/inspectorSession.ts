import type { ResultFacts, TableView } from "../../core/model/openTable";
import { err, ok, type Result } from "../../core/model/problem";
import type { RowsAnswer, RowsRequest } from "../../core/model/rowQuery";
import type { SearchEnd, SearchQuery, SearchStep } from "../../core/model/search";
import type { BodyRef, RecordPlace, ToolResult } from "../../core/model/transcript";
import type { Cancel, SecretFinder } from "../../core/ports";
import type { FileReport } from "../../core/results/fileCheck";
import { compileQuery } from "../../core/transcript/search";
import type { ReadAnswer, TableNews } from "../../protocol/tableWorker";
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
  Progress,
  RowsNews,
} from "../../protocol/webview";
import { CancelSource, type Disposable, Lifetime, Signal } from "../lifetime";
import { previewOf, toDetail } from "./detail";
import { shownSecrets } from "./detailSecrets";
import { FileChecks } from "./fileChecks";
import { LiveSource } from "./liveSource";
import { type Numbers, numbersFor } from "./numbers";
import type { OpenTranscript, SessionPorts } from "./sessionPorts";
import { ShownProblems } from "./shownProblems";
import { emptyView, headerOf, NOT_CHECKED, noSuchRow, problemRow } from "./tableView";
import { WhatIf } from "./whatIf";

/** An event for the page. */
export type SessionEvent = { readonly [E in EventName]: { readonly e: E; readonly body: Events[E] } }[EventName];

/** The page is told at most this often, in milliseconds: quick to the eye, cheap for the page. */
const TELL_EVERY_MS = 120;

/**
 * One open transcript, whose index another thread keeps: asks it for what is shown, looks at the spill files, and tells whoever
 * listens what changed.
 */
export class InspectorSession implements Disposable {
  readonly path: string;
  readonly whatIf: WhatIf;
  readonly secrets: SecretFinder | undefined;
  readonly #ports: SessionPorts;
  readonly #locale: string;
  readonly #numbers: Numbers;
  readonly #lifetime = new Lifetime();
  readonly #events: Signal<SessionEvent>;
  readonly #files: FileChecks;
  readonly #transcript: OpenTranscript;
  #reading: CancelSource | undefined;
  #finished: Promise<void> = Promise.resolve();
  #phase: Phase = "reading";
  #view: TableView = emptyView();
  #error: string | null = null;
  #progress: Progress = { doneBytes: 0, totalBytes: 0 };
  readonly #problems = new ShownProblems();
  /** Rows before this one were handed to the file checks. */
  #spillsFrom = 0;
  #revision = 0;
  #rowsRevision = 0;
  #flush: Disposable | undefined;
  #filesTold: Disposable | undefined;
  /** Follows the file; a session of the tree does not. */
  #live: LiveSource | undefined;

  constructor(path: string, ports: SessionPorts, locale: string) {
    this.path = path;
    this.secrets = ports.secrets;
    this.#ports = ports;
    this.#locale = locale;
    this.#numbers = numbersFor(locale);
    const failed = (error: unknown): void => ports.log.error("Inspector", error);
    const { simulate, config, statedWindow } = ports;
    this.#events = this.#lifetime.add(new Signal<SessionEvent>(failed));
    this.#transcript = this.#lifetime.add(
      ports.transcript(
        path,
        (news) => this.#heard(news),
        () => this.#forgotten(),
      ),
    );
    this.whatIf = this.#lifetime.add(
      new WhatIf({
        simulate: simulate && ((onProgress) => simulate(path, onProgress)),
        config: config && ((agent) => config(path, agent)),
        statedWindow: statedWindow && (() => statedWindow(path)),
        tell: (event) => this.#fire(event),
        log: ports.log,
      }),
    );
    this.#files = this.#lifetime.add(
      new FileChecks({
        check: (result, cancel) => this.#check(result, cancel),
        more: () => this.#moreSpills(),
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
    return this.#phase;
  }

  async result(index: number): Promise<ToolResult | undefined> {
    return (await this.#facts(index))?.result;
  }

  /** True once the row was read. */
  hasRow(index: number): boolean {
    return index < this.#view.rows;
  }

  /** True once the thread was read. */
  hasThread(id: string): boolean {
    return this.#view.threads.some((thread) => thread.id === id);
  }

  /** Place of the record that begins on this 1-based line and holds a result or a call, or is a problem; undefined when none is known. */
  async recordAt(line: number): Promise<RecordPlace | undefined> {
    return (await this.#transcript.ask("recordAt", { line })) ?? undefined;
  }

  /** Places of a database are rows; a text editor has nothing to show of it. */
  get isDatabase(): boolean {
    return this.#view.header?.format.endsWith("-db") === true;
  }

  /** The whole row of a database, as JSON for people. */
  async row(place: RecordPlace): Promise<Result<string>> {
    const { readRow } = this.#ports;
    if (readRow === undefined) throw new Error("rows cannot be read here");
    return readRow(this.path, place);
  }

  /** Reads the transcript, or takes a stored index of it; what was shown before is forgotten. `anew`: from its beginning in any case. */
  read(anew = false): void {
    this.#reading?.cancel();
    this.#files.reset();
    this.whatIf.stale();
    const source = new CancelSource();
    this.#reading = source;
    this.#flush?.dispose();
    this.#flush = undefined;
    this.#view = emptyView();
    this.#phase = "reading";
    this.#error = null;
    this.#progress = { doneBytes: 0, totalBytes: 0 };
    this.#problems.reset();
    this.#spillsFrom = 0;
    this.#rowsRevision++;
    this.#fire({ e: "state/full", body: this.full() });
    this.#finished = this.#readAll(source, anew);
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
        reread: (cancel) => this.#look(cancel),
        liveChanged: (live) => {
          this.#fire({ e: "state/live", body: { live } });
          // What waited for the end of a torn line is told when nobody writes any more.
          if (this.#phase === "done") this.#tellUpdate();
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

  /** Takes in what was written to the file, and shows what changed. */
  async #look(cancel: CancelSource): Promise<void> {
    const reading = this.#reading;
    // After a failure or a cancel the user decides.
    if (this.#phase !== "done" && this.#phase !== "failed") return;
    const answer = await this.#transcript.ask("look", {}, cancel);
    if (cancel.isCancellationRequested || reading !== this.#reading || this.#lifetime.disposed) return;
    if (answer.end === "kept") {
      const [why] = answer.view.problems;
      if (why !== undefined) this.#alsoSay(problemRow(why));
    } else if (answer.end === "done" || answer.end === "broken") this.#show(answer);
    // The file is there as it was read: a share that was away for a moment, a file that was moved and moved back.
    else if (answer.end === "same" && this.#problems.unsay()) this.#tellUpdate();
  }

  #show({ view, goesOn, from, repathed }: ReadAnswer): void {
    if (view.header === undefined) return;
    this.#view = view;
    this.#problems.reset(view.problems.length);
    this.#phase = "done";
    this.#error = null;
    this.#rowsRevision++;
    this.whatIf.stale();
    if (goesOn) {
      this.#forgetFiles(repathed);
      this.#spillsFrom = Math.min(this.#spillsFrom, from);
      this.#tellUpdate();
    } else {
      this.#files.reset();
      this.#spillsFrom = 0;
      this.#fire({ e: "state/full", body: this.full() });
    }
    this.#files.wake();
  }

  /** The index was made again: what it was told of files is told again. */
  #forgotten(): void {
    if (this.#lifetime.disposed) return;
    this.#files.reset();
    this.#spillsFrom = 0;
    this.#files.wake();
  }

  #forgetFiles(rows: readonly number[]): void {
    for (const row of rows) {
      this.#files.forget(row);
      this.#spillsFrom = Math.min(this.#spillsFrom, row);
    }
  }

  #tellUpdate(): void {
    const { threads, problemsOmitted } = this.#view;
    const header = this.#header();
    this.#fire({
      e: "state/update",
      body: { header, threads, rows: this.#news(), problems: this.#listed(), problemsOmitted },
    });
  }

  #news(): RowsNews {
    return { revision: this.#rowsRevision, count: this.#view.count };
  }

  #goneAway(): void {
    const message = `${this.path} is not there any more, or may not be looked at. What was read of it is still shown; it is read again when it comes back.`;
    this.#alsoSay({ code: "file-gone", severity: "warning", message, line: null });
  }

  #alsoSay(problem: ProblemRow): void {
    if (this.#phase === "done" && this.#problems.say(problem, this.#view)) this.#tellUpdate();
  }

  #listed(): readonly ProblemRow[] {
    return this.#problems.all(this.#view, this.#live?.live === true);
  }

  /** Stops reading; what was read stays. */
  cancelReading(): void {
    this.#reading?.cancel();
  }

  /** Looks at every spill file again, after the user said where a home lies now. */
  recheckFiles(): void {
    this.#files.reset();
    this.#spillsFrom = 0;
    this.#rowsRevision++;
    this.#transcript.tell("forgetFiles", {});
    this.#fire({ e: "state/full", body: this.full() });
    this.#files.wake();
  }

  full(): FullState {
    const { threads, problemsOmitted } = this.#view;
    return {
      phase: this.#phase,
      progress: this.#phase === "reading" ? this.#progress : null,
      header: this.#header(),
      threads,
      rows: this.#news(),
      problems: this.#listed(),
      problemsOmitted,
      error: this.#error,
      live: this.#live?.live ?? false,
      locale: this.#locale,
    };
  }

  /** A part of the rows. They may change while it is looked up: then the revision is the older one, and news follow. */
  async rows(request: RowsRequest): Promise<RowsAnswer & { readonly revision: number }> {
    const revision = this.#rowsRevision;
    return { ...(await this.#transcript.ask("rows", request)), revision };
  }

  overview(thread: string | null): Promise<Overview> {
    return this.#transcript.ask("overview", { thread });
  }

  /** Looks inside the results that are known now. The error is a sentence for people. */
  async search(
    query: SearchQuery,
    cancel: Cancel,
    onStep: (step: SearchStep) => void,
  ): Promise<Result<SearchEnd, string>> {
    const compiled = compileQuery(query);
    if (!compiled.ok) return compiled;
    const targets = await this.#transcript.ask("targets", {});
    let end: SearchEnd = "done";
    const heard = (step: SearchStep): void => {
      end = step.end ?? end;
      onStep(step);
    };
    await this.#ports.search(this.path, targets, query, heard, cancel);
    return ok(end);
  }

  async detail(index: number): Promise<Result<Detail>> {
    const facts = await this.#facts(index);
    if (facts === undefined) return err(noSuchRow(index));
    const { result, leftBy } = facts;
    const [body, report] = await Promise.all([this.#bodyOf(result), this.report(result)]);
    const text = body?.ok ? body.value : undefined;
    const secrets = await shownSecrets(previewOf(result, text ?? ""), this.secrets);
    return ok(
      toDetail({
        result,
        unit: this.#view.header?.unit ?? "utf16",
        body: text,
        secrets,
        bodyProblem: body && !body.ok ? body.error.message : undefined,
        report,
        leftBy,
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
    this.#flush?.dispose();
    this.#filesTold?.dispose();
    this.#ports.dispose?.();
    this.#lifetime.dispose();
  }

  async #readAll(source: CancelSource, anew: boolean): Promise<void> {
    let broken: string | undefined;
    let answer: ReadAnswer | undefined;
    try {
      answer = await this.#transcript.ask("read", { anew }, source);
    } catch (error) {
      if (this.#lifetime.disposed) return;
      this.#ports.log.error(`Reading ${this.path} failed`, error);
      broken = `Reading ${this.path} failed. The log of Context Budget says why; reload to try again.`;
    }
    if (source !== this.#reading || this.#lifetime.disposed) return;
    if (answer !== undefined) {
      this.#forgetFiles(answer.repathed);
      this.#view = answer.view;
      this.#rowsRevision++;
    }
    this.#tellAppend();
    const { header, problems, problemsOmitted } = this.#view;
    const cancelled = source.isCancellationRequested;
    this.#phase = cancelled ? "cancelled" : broken === undefined && header !== undefined ? "done" : "failed";
    if (this.#phase === "failed") {
      this.#error = broken ?? problems[0]?.message ?? `${this.path} is not a transcript of a known format.`;
    }
    this.#fire({
      e: "state/phase",
      body: { phase: this.#phase, error: this.#error, header: this.#header(), problemsOmitted },
    });
  }

  /** The first rows go out at once; later ones in batches. */
  #heard({ view, repathed, doneBytes, totalBytes }: TableNews): void {
    if (this.#phase !== "reading" || this.#lifetime.disposed) return;
    const isFirst = this.#view.header === undefined;
    this.#view = view;
    this.#progress = { doneBytes, totalBytes };
    this.#forgetFiles(repathed);
    this.#rowsRevision++;
    if (this.#flush !== undefined) return;
    if (isFirst) this.#tellAppend();
    this.#flush = this.#ports.after(TELL_EVERY_MS, () => this.#tellAppend());
  }

  #tellAppend(): void {
    this.#flush?.dispose();
    this.#flush = undefined;
    const { threads, header } = this.#view;
    this.#fire({
      e: "state/append",
      body: {
        header: this.#header(),
        threads,
        rows: this.#news(),
        problems: this.#problems.fresh(this.#view, this.#live?.live === true),
        progress: this.#progress,
      },
    });
    if (header !== undefined) this.#files.wake();
  }

  /** The next results whose files are to be looked at. */
  async #moreSpills(): Promise<readonly ToolResult[]> {
    const reading = this.#reading;
    for (;;) {
      const { results, next, more } = await this.#transcript.ask("spills", { from: this.#spillsFrom });
      if (reading !== this.#reading || this.#lifetime.disposed) return [];
      this.#spillsFrom = next;
      if (results.length > 0 || !more) return results;
    }
  }

  /** Statuses come a few at a time; the page hears of them at the pace of the rows. */
  #filesFound(statuses: readonly (readonly [number, FileStatus])[]): void {
    this.#transcript.tell("files", { statuses });
    this.#filesTold ??= this.#ports.after(TELL_EVERY_MS, () => {
      this.#filesTold = undefined;
      this.#rowsRevision++;
      this.#fire({ e: "rows/changed", body: this.#news() });
    });
  }

  async #check(result: ToolResult, cancel: CancelSource): Promise<FileReport> {
    const { header } = this.#view;
    if (!header) return NOT_CHECKED;
    const body = result.persisted?.preview ? await this.#bodyOf(result) : undefined;
    const preview = body?.ok ? previewOf(result, body.value) : undefined;
    return this.#ports.checkFile(this.path, header, result, preview, cancel);
  }

  async #facts(index: number): Promise<ResultFacts | undefined> {
    return (await this.#transcript.ask("result", { index })) ?? undefined;
  }

  async #bodyOf(result: ToolResult): Promise<Result<string> | undefined> {
    return result.body ? this.text(result.body) : undefined;
  }

  #fire(event: SessionEvent): void {
    this.#revision++;
    this.#events.fire(event);
  }

  #header(): Header | null {
    return headerOf(this.path, this.#view);
  }
}
