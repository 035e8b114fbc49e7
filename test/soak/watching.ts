import { CancelSource } from "../../extension/src/client/lifetime";
import { MovedHomes } from "../../extension/src/client/movedHomes";
import { nodeSessionPorts } from "../../extension/src/client/nodeSessionPorts";
import { InspectorSession } from "../../extension/src/client/views/inspectorSession";
import { NO_FILTER, type RowsRequest } from "../../extension/src/core/model/rowQuery";
import type { Log } from "../../extension/src/core/ports";
import { secretFinder } from "../../extension/src/node/secrets";
import { TranscriptSimulation } from "../../extension/src/node/simulateInWorker";
import type { Chance, PlainResult } from "./transcripts";

export interface World {
  readonly workerFile: string;
  /** Folder of stored indexes. */
  readonly store: string;
  readonly home: string;
  readonly temporary: string;
  readonly log: Log;
}

const ROWS: RowsRequest = {
  query: { filter: NO_FILTER, sort: null, within: null },
  from: 0,
  count: 500,
  around: null,
  find: [],
  summary: false,
};

/** What an inspector shows, compared with what a plain reader finds, is given up after so long. Milliseconds. */
const PATIENCE_MS = 30_000;

/** The product's own session on a file that is being written, as the extension opens it. */
export class Watching {
  readonly session: InspectorSession;
  private readonly simulations: TranscriptSimulation[] = [];

  constructor(
    readonly path: string,
    private readonly world: World,
  ) {
    const { store, home, temporary, log } = world;
    const kept = new Map<string, unknown>();
    this.session = new InspectorSession(
      path,
      nodeSessionPorts({
        log,
        secrets: secretFinder(),
        homes: () => ({
          env: {},
          platform: process.platform,
          homeFolder: home,
          tempFolder: temporary,
          extra: [],
          added: [],
          workspaceFolders: [],
        }),
        isTrusted: () => true,
        moved: new MovedHomes({
          get: <T>(key: string) => kept.get(key) as T | undefined,
          update: async (key, value) => void kept.set(key, value),
        }),
        configs: { inForce: async () => undefined },
        store: () => ({ folder: store, limitBytes: 20_000_000, version: "soak" }),
      }),
      "en",
    );
    this.session.follow();
    this.session.read();
  }

  /** Asks for something while the file changes; what it answers is nobody's business here. */
  async disturb(chance: Chance): Promise<string> {
    const { session } = this;
    const cancel = new CancelSource();
    const hasRows = session.full().rows.count > 0;
    switch (chance(0, 7)) {
      case 0: {
        const searching = session.search({ text: "gauge", regex: false, matchCase: false }, cancel, () => undefined);
        if (chance(0, 1) === 0) cancel.cancel();
        await searching;
        return "searched";
      }
      case 1:
        if (hasRows) await session.detail(chance(0, session.full().rows.count - 1));
        return "showed a detail";
      case 2: {
        const simulation = new TranscriptSimulation(this.path, { workerFile: this.world.workerFile });
        this.simulations.push(simulation);
        const opened = simulation.ask("open", { thread: null }, undefined, cancel);
        if (chance(0, 1) === 0) cancel.cancel();
        await opened;
        await simulation.dispose();
        return "simulated";
      }
      case 3:
        await session.overview(null);
        return "showed the overview";
      case 4:
        session.setShown(false);
        session.setShown(true);
        return "hidden and shown";
      case 5:
        session.read(chance(0, 1) === 0);
        return "read anew";
      case 6:
        session.cancelReading();
        session.read();
        return "cancelled and read";
      default:
        await session.rows(ROWS);
        return "showed rows";
    }
  }

  /** Undefined once the session shows what the plain reader found; otherwise what it shows instead. */
  async difference(expected: readonly PlainResult[]): Promise<string | undefined> {
    const deadline = Date.now() + PATIENCE_MS;
    let woken: (() => void) | undefined;
    const listening = this.session.onEvent(() => woken?.());
    try {
      for (;;) {
        const next = new Promise<void>((resolve) => {
          woken = resolve;
        });
        const shown = await this.shown();
        const same = JSON.stringify(shown) === JSON.stringify(expected);
        if (same) return undefined;
        const left = deadline - Date.now();
        if (left <= 0) return this.described(shown, expected);
        let timer: NodeJS.Timeout | undefined;
        await Promise.race([next, new Promise((resolve) => (timer = setTimeout(resolve, left)))]);
        clearTimeout(timer);
      }
    } finally {
      listening.dispose();
    }
  }

  dispose(): void {
    this.session.dispose();
  }

  private async shown(): Promise<readonly PlainResult[]> {
    const { rows } = await this.session.rows(ROWS);
    return rows.filter(({ state }) => state !== "missing").map(({ callId, chars }) => [callId ?? "", chars]);
  }

  private described(shown: readonly PlainResult[], expected: readonly PlainResult[]): string {
    const { phase, error, problems, live } = this.session.full();
    const at = expected.findIndex((one, n) => JSON.stringify(one) !== JSON.stringify(shown[n]));
    return JSON.stringify({
      shown: shown.length,
      expected: expected.length,
      firstDifference: at < 0 ? "the view holds more" : [at, shown[at], expected[at]],
      phase,
      error,
      live,
      problems: problems.slice(0, 5),
    });
  }
}
