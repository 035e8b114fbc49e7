import { err, ok, type Result } from "../../core/model/problem";
import type { ToolResult } from "../../core/model/transcript";
import type { Log } from "../../core/ports";
import { withoutSecrets } from "../../core/secrets/mask";
import { systemClock } from "../../node/clock";
import type { CopyWhat, Glance, HostFrame, OutputPage } from "../../protocol/webview";
import { type Disposable, Lifetime } from "../lifetime";
import { secretAt } from "./detailSecrets";
import { type CallFailure, failedBy, type Handlers, HostRpc } from "./hostRpc";
import type { InspectorSession, SessionEvent } from "./inspectorSession";
import { sessionHandles } from "./sessionHandles";
import { type WhatIfActions, whatIfHandlers } from "./whatIfHandlers";

/** What a page can make the host do, besides answering from the session. */
export interface PageActions {
  /** True: opened · false: the user said no · error: why there is nothing to open. */
  openFull(session: InspectorSession, result: ToolResult): Promise<Result<boolean, string>>;
  /** The page of a full output in which an offset lies; the error says why there is none. */
  outputPage(session: InspectorSession, result: ToolResult, offset: number): Promise<Result<OutputPage, string>>;
  /** A secret that is masked in a full output, by where its mask begins in the masked text; the error is a sentence. */
  outputSecret(session: InspectorSession, result: ToolResult, at: number): Promise<Result<string, string>>;
  /** What stands above the transcript's totals. */
  glance(session: InspectorSession): Promise<Glance>;
  reveal(session: InspectorSession, line: number): Promise<Result<boolean, string>>;
  copy(text: string): Promise<void>;
  /** True when the user named a folder. */
  rebase(session: InspectorSession): Promise<boolean>;
  readonly whatIf: WhatIfActions;
}

export interface PageLinkParts {
  readonly session: InspectorSession;
  readonly actions: PageActions;
  readonly post: (frame: HostFrame) => void;
  readonly log: Log;
}

/**
 * Joins one page with the session it shows. Events go out only while the page is there and visible: a page that was hidden is
 * made anew when it comes back and asks for everything with `ready`, so the latest state is all that has to be kept.
 */
export class PageLink implements Disposable {
  readonly #session: InspectorSession;
  readonly #actions: PageActions;
  readonly #rpc: HostRpc;
  readonly #lifetime = new Lifetime();
  /** Results in which the page's newest search found something. */
  #hits: { readonly search: number; readonly rows: number[] } = { search: -1, rows: [] };
  #ready = false;
  #visible = true;
  #select: number | undefined;
  #selectThread: string | undefined;
  /** Revision of the state in a reply to `ready` that is under way. */
  #stateTold: number | undefined;

  constructor(parts: PageLinkParts) {
    this.#session = parts.session;
    this.#actions = parts.actions;
    this.#rpc = this.#lifetime.add(new HostRpc(parts.post, this.#handlers(), parts.log, parts.session.secrets));
    this.#lifetime.add(this.#session.onEvent((event) => this.#forward(event)));
  }

  async receive(raw: unknown): Promise<void> {
    await this.#rpc.receive(raw);
    const told = this.#stateTold;
    if (told === undefined) return;
    this.#stateTold = undefined;
    this.#ready = true;
    // Whatever happened between taking the state and posting it would otherwise be lost.
    if (told !== this.#session.revision) this.#rpc.event("state/full", this.#session.full());
    this.#sendSelection();
  }

  /** True once the page asked for its first state. */
  get ready(): boolean {
    return this.#ready;
  }

  /** False while the page is hidden; a page that was hidden before it was ready never gets ready. */
  get visible(): boolean {
    return this.#visible;
  }

  setVisible(visible: boolean): void {
    const shown = visible && !this.#visible;
    this.#visible = visible;
    // Should the page have survived being hidden, it learns here what it missed; a new one asks by itself.
    if (shown && this.#ready) {
      this.#rpc.event("state/full", this.#session.full());
      if (this.#session.whatIf.isStale) this.#rpc.event("whatIf/stale", {});
    }
    this.#sendSelection();
  }

  /** Selects a row as soon as the page is there and the row was read. */
  select(index: number): void {
    this.#select = index;
    this.#sendSelection();
  }

  /** Shows a thread as soon as the page is there and the thread was read. */
  selectThread(id: string): void {
    this.#selectThread = id;
    this.#sendSelection();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #forward(event: SessionEvent): void {
    if (!this.#ready || !this.#visible) return;
    this.#rpc.event(event.e, event.body);
    this.#sendSelection();
  }

  #sendSelection(): void {
    if (!this.#ready || !this.#visible) return;
    const thread = this.#selectThread;
    if (thread !== undefined && this.#session.hasThread(thread)) {
      this.#selectThread = undefined;
      this.#rpc.event("select/thread", { thread });
    }
    const index = this.#select;
    if (index === undefined || !this.#session.hasRow(index)) return;
    this.#select = undefined;
    this.#rpc.event("select/row", { index });
  }

  #handlers(): Handlers {
    const session = this.#session;
    return {
      ready: async () => {
        this.#stateTold = session.revision;
        return ok(session.full());
      },
      overview: async ({ thread }) => ok(await session.overview(thread)),
      glance: async () => ok(await this.#actions.glance(session)),
      rows: async ({ filter, sort, search, ...part }) => {
        const within = search === null ? null : search === this.#hits.search ? [...this.#hits.rows] : [];
        return ok(await session.rows({ ...part, query: { filter, sort, within } }));
      },
      search: async ({ search, query }, cancel) => {
        const found = { search, rows: [] as number[] };
        this.#hits = found;
        const isNewer = (): boolean => this.#hits !== found;
        // A newer search ends this one, so that a page has one thread that searches, whatever it asks.
        const ended = {
          get isCancellationRequested() {
            return cancel.isCancellationRequested || isNewer();
          },
        };
        const end = await session.search(query, ended, ({ hits, progress }) => {
          found.rows.push(...hits.map(({ index }) => index));
          if (!ended.isCancellationRequested) this.#rpc.event("search/hits", { search, hits, progress });
        });
        return end.ok ? ok({ end: end.value }) : err({ code: "failed", message: end.error });
      },
      detail: async ({ index }) => {
        const detail = await session.detail(index);
        return detail.ok ? detail : err({ code: "not-found", message: detail.error.message });
      },
      showSecret: async ({ index, ...place }) =>
        this.#with(index, async (result) => {
          const text = await session.preview(result);
          if (!text.ok) return err(failedBy(text.error));
          const secret = await secretAt(text.value, place, session.secrets);
          return secret.ok ? ok({ text: secret.value }) : err({ code: "not-found", message: secret.error });
        }),
      showOutputSecret: async ({ index, at }) =>
        this.#with(index, async (result) => {
          const secret = await this.#actions.outputSecret(session, result, at);
          return secret.ok ? ok({ text: secret.value }) : err({ code: "not-found", message: secret.error });
        }),
      outputPage: async ({ index, offset }) =>
        this.#with(index, async (result) => {
          const page = await this.#actions.outputPage(session, result, offset);
          return page.ok ? page : err({ code: "not-found", message: page.error });
        }),
      handles: (asked, cancel) => sessionHandles(session, asked, this, systemClock, cancel),
      openFull: async ({ index }) =>
        this.#with(index, async (result) => opened(await this.#actions.openFull(session, result))),
      reveal: async ({ line }) => opened(await this.#actions.reveal(session, line)),
      copy: async ({ index, what }) => this.#with(index, (result) => this.#copy(result, what)),
      rebase: async () => {
        const changed = await this.#actions.rebase(session);
        if (changed) session.recheckFiles();
        return ok({ changed });
      },
      cancelReading: async () => {
        session.cancelReading();
        return ok({});
      },
      reload: async () => {
        session.read(true);
        return ok({});
      },
      ...whatIfHandlers(session, this.#actions.whatIf),
    };
  }

  async #copy(result: ToolResult, what: CopyWhat): Promise<Result<{ readonly copied: boolean }, CallFailure>> {
    const text = await this.#copied(result, what);
    if (!text.ok) return text;
    if (text.value === undefined || text.value === "") return ok({ copied: false });
    const { secrets } = this.#session;
    await this.#actions.copy(secrets === undefined ? text.value : await withoutSecrets(text.value, secrets));
    return ok({ copied: true });
  }

  async #copied(result: ToolResult, what: CopyWhat): Promise<Result<string | undefined, CallFailure>> {
    switch (what) {
      case "path":
        return ok(result.persisted?.path);
      case "handle":
        return ok(result.persisted?.handle);
      case "callId":
        return ok(result.callId);
      case "preview": {
        const preview = await this.#session.preview(result);
        return preview.ok ? preview : err(failedBy(preview.error));
      }
    }
  }

  async #with<T>(
    index: number,
    use: (result: ToolResult) => Promise<Result<T, CallFailure>>,
  ): Promise<Result<T, CallFailure>> {
    const result = await this.#session.result(index);
    if (!result) return err({ code: "not-found", message: "That row is not there any more; reload the transcript." });
    return use(result);
  }
}

function opened(outcome: Result<boolean, string>): Result<{ readonly opened: boolean }, CallFailure> {
  return outcome.ok ? ok({ opened: outcome.value }) : err({ code: "not-found", message: outcome.error });
}
