import type { Answered } from "../../core/agentTools/ports";
import type { TableView } from "../../core/model/openTable";
import { err, type Result } from "../../core/model/problem";
import type { BodyRef, TranscriptHeader } from "../../core/model/transcript";
import type { Cancel, Log } from "../../core/ports";
import { readBody } from "../../core/transcript/body";
import { unreadable } from "../../core/transcript/unreadable";
import { DatabaseRows } from "../databaseRows";
import { nodeFiles } from "../files";
import { TableInWorker } from "../tableInWorker";
import { nodeUnpacker } from "../unpack";
import { nodeUtf8 } from "../utf8";
import type { StoreOptions } from "../workerFile";

export interface TranscriptsParts {
  readonly log: Log;
  readonly store?: () => StoreOptions | undefined;
  readonly workerFile?: string;
  readonly limits?: TranscriptLimits;
}

export interface TranscriptLimits {
  /** Transcripts that stay known. */
  readonly open: number;
  /** Transcripts that are asked about at the same time. */
  readonly busy: number;
  /** A thread that nobody asks ends. Milliseconds. */
  readonly idleMs: number;
  /** Bytes of one record of a transcript that is parsed for a text in it. */
  readonly recordBytes: number;
}

export const TRANSCRIPT_LIMITS: TranscriptLimits = {
  open: 3,
  busy: 6,
  idleMs: 30_000,
  recordBytes: 16 * 1024 * 1024,
};

/** A transcript that was read. */
export interface ReadTranscript {
  readonly path: string;
  readonly table: TableInWorker;
  readonly view: TableView;
  readonly header: TranscriptHeader;
  /** The text behind a reference. */
  text(ref: BodyRef): Promise<Result<{ readonly text: string }>>;
}

/** As the threads read: a session may be packed, or spread over files. */
const TEXT_PORTS = { utf8: nodeUtf8, unpacker: nodeUnpacker, files: nodeFiles };

interface Open {
  readonly table: TableInWorker;
  rows: DatabaseRows | undefined;
  uses: number;
}

/** Transcripts that agents ask about, each with its index in a thread. The ones used longest ago are let go of. */
export class Transcripts {
  /** In the order of their last use. */
  private readonly open = new Map<string, Open>();
  private disposed = false;

  constructor(private readonly parts: TranscriptsParts) {}

  /**
   * Reads the transcript, or what was added to it, and asks about it.
   * @param path a real one: links that take its place are refused, while an agent may write the file anew
   */
  async use<T>(
    path: string,
    cancel: Cancel,
    ask: (transcript: ReadTranscript) => Promise<Answered<T>>,
  ): Promise<Answered<T>> {
    const { log, limits = TRANSCRIPT_LIMITS } = this.parts;
    if (this.disposed) return err({ message: "The tools were closed." });
    const busy = [...this.open.values()].filter(({ uses }) => uses > 0).length;
    const known = this.open.get(path);
    if (busy >= limits.busy && !(known !== undefined && known.uses > 0))
      return err({ message: `${busy} other sessions are being read. Call again when they are done.` });
    const one = known ?? this.start(path);
    this.open.delete(path);
    this.open.set(path, one);
    one.uses++;
    try {
      const { end, view } = await one.table.ask("look", {}, cancel);
      if (end === "cancelled") return err({ message: `Reading ${path} was stopped. Call again.` });
      const { header } = view;
      if (header === undefined) return err({ message: view.problems[0]?.message ?? `${path} holds no session.` });
      return await ask({ path, table: one.table, view, header, text: (ref) => this.text(path, one, ref) });
    } catch (error) {
      // A plain Error: the thread died, or was ended with all the others; the next question starts another one.
      if (!(error instanceof Error) || error.name !== "Error") throw error;
      if (!this.disposed) log.error(`Reading ${path} for an agent failed`, error);
      return err({ message: `${path} could not be read: ${error.message}` });
    } finally {
      one.uses--;
      this.trim();
    }
  }

  dispose(): void {
    this.disposed = true;
    for (const [path, one] of this.open) this.close(path, one);
  }

  private start(path: string): Open {
    const { log, store, workerFile, limits = TRANSCRIPT_LIMITS } = this.parts;
    const table = new TableInWorker(path, {
      store: store?.(),
      idleMs: limits.idleMs,
      isReal: true,
      news: () => undefined,
      trouble: (message) => log.warn(`${path}: ${message}`),
      ...(workerFile === undefined ? {} : { workerFile }),
    });
    return { table, rows: undefined, uses: 0 };
  }

  private trim(): void {
    const { limits = TRANSCRIPT_LIMITS } = this.parts;
    for (const [path, one] of this.open) {
      if (this.open.size <= limits.open) return;
      if (one.uses === 0) this.close(path, one);
    }
  }

  private close(path: string, { table, rows }: Open): void {
    this.open.delete(path);
    table.dispose();
    rows?.dispose().catch((error: unknown) => this.parts.log.error(`Closing ${path} failed`, error));
  }

  private async text(path: string, one: Open, ref: BodyRef): Promise<Result<{ readonly text: string }>> {
    const { workerFile, limits = TRANSCRIPT_LIMITS } = this.parts;
    if (ref.place.row !== undefined) {
      one.rows ??= new DatabaseRows(path, {
        idleMs: limits.idleMs,
        isReal: true,
        ...(workerFile === undefined ? {} : { workerFile }),
      });
      return one.rows.body(ref);
    }
    const bytes = ref.place.end - ref.place.start;
    if (bytes > limits.recordBytes) {
      const message = `Line ${ref.place.line} of ${path} has ${bytes} bytes, too many to be parsed here. Open the session in the inspector.`;
      return err({ code: "too-large", severity: "error", message, at: ref.place });
    }
    try {
      return await readBody(await nodeFiles.open(path, { isReal: true }), ref, TEXT_PORTS);
    } catch (error) {
      return err(unreadable({ path }, error));
    }
  }
}
