import { sep } from "node:path";
import type { AgentId } from "../../core/model/transcript";
import type { Cancel, Clock, FileAccess, Utf8 } from "../../core/ports";
import { FILE_AGENTS } from "../../core/transcript/fileAgents";
import type { ScanFiles } from "../scanFiles";
import { AGENT_HOMES, type AgentHomeId } from "../sessions/agentHomes";
import { FIND_SESSIONS } from "../sessions/agentSessions";
import { folderSessions } from "../sessions/folderSessions";
import { formatOfFile } from "../sessions/isTranscript";
import { type MayBeSearched, searched } from "../sessions/searchedHomes";
import { type FoundSession, newestFirst, SCAN_LIMITS, SessionScan } from "../sessions/sessionScan";
import { sortInSlices, systemTime, TimeSlices } from "../sessions/timeSlices";
import { type Step, Walk } from "../sessions/walk";

export interface FinderParts extends MayBeSearched {
  readonly isTrusted: () => boolean;
  readonly roots: () => readonly string[];
  readonly files: FileAccess;
  readonly scanFiles: ScanFiles;
  readonly utf8: Utf8;
  readonly clock: Clock;
}

/** A session that was found, and the agent that wrote it: by its home, else by its content; null: that does not tell. */
export interface AgentSession extends FoundSession {
  readonly agent: AgentId | null;
}

export interface FoundSessions {
  /** Newest first. */
  readonly sessions: readonly AgentSession[];
  /** One sentence each. */
  readonly notes: readonly string[];
  /** It was called off. */
  readonly isPart: boolean;
}

/** A list is good for so long: an agent that pages through it sees one list. Milliseconds. */
const FRESH_MS = 15_000;

interface Search {
  readonly waiting: Set<Cancel>;
  readonly found: Promise<FoundSessions>;
}

/** The sessions of this machine's agents and of what is open, found by the rules of the view in the activity bar. */
export class SessionFinder {
  private last: { readonly at: number; readonly found: FoundSessions } | undefined;
  private search: Search | undefined;
  /** Paths that were found in homes. */
  private readonly known = new Set<string>();
  private disposed = false;

  constructor(private readonly parts: FinderParts) {}

  async find(cancel: Cancel): Promise<FoundSessions> {
    const { clock } = this.parts;
    if (this.last !== undefined && clock.now() - this.last.at <= FRESH_MS) return this.last.found;
    const search = this.search ?? this.begin(cancel);
    search.waiting.add(cancel);
    return search.found;
  }

  /**
   * Whether a session of this very path lies in an agent's home. Looks at names in that home only; what was found once needs no look
   * as long as the home is searched.
   */
  async has(path: string, cancel: Cancel): Promise<boolean> {
    if (!this.parts.isTrusted()) return false;
    const agents = AGENT_HOMES.filter((agent) =>
      searched(agent, this.parts).some((home) => path.startsWith(home.endsWith(sep) ? home : home + sep)),
    );
    if (agents.length === 0) return false;
    for (const agent of this.known.has(path) ? [] : agents) {
      let looked = 0;
      for await (const step of this.stepsOf(agent)) {
        if (this.disposed || cancel.isCancellationRequested || ++looked > SCAN_LIMITS.files) break;
        if (step.kind !== "file") continue;
        this.remember(step.path);
        if (step.path === path) break;
      }
    }
    return this.known.has(path);
  }

  /** What is searched stops. */
  dispose(): void {
    this.disposed = true;
  }

  private begin(cancel: Cancel): Search {
    const waiting = new Set([cancel]);
    const all: Cancel = {
      get isCancellationRequested() {
        return isDisposed() || [...waiting].every((one) => one.isCancellationRequested);
      },
    };
    const isDisposed = (): boolean => this.disposed;
    const search = { waiting, found: this.run(all).finally(() => this.end(search)) };
    this.search = search;
    return search;
  }

  private end(search: Search): void {
    if (this.search === search) this.search = undefined;
  }

  private async run(cancel: Cancel): Promise<FoundSessions> {
    const { clock, scanFiles, isTrusted } = this.parts;
    const slices = new TimeSlices();
    const at = clock.now();
    const agents = isTrusted() ? AGENT_HOMES : [];
    const writers = new Map<string, AgentId>();
    const lists = [
      ...agents.map((agent) => ({
        agent,
        steps: FIND_SESSIONS[agent](searched(agent, this.parts), new Walk(scanFiles)),
      })),
      { agent: null, steps: this.open(writers, cancel) },
    ];
    const scans = await Promise.all(
      lists.map(async ({ agent, steps }) => {
        const scan = new SessionScan(steps, { files: scanFiles, slices });
        await scan.run(cancel);
        await scan.show();
        return { agent, scan };
      }),
    );
    const seen = new Set<string>();
    const sessions: AgentSession[] = [];
    const notes: string[] = [];
    for (const { agent, scan } of scans) {
      for (const session of scan.found.sessions) {
        // Those of agents come first: an open folder may hold a home.
        if (!seen.has(session.path)) sessions.push({ ...session, agent: agent ?? writers.get(session.path) ?? null });
        if (agent !== null) this.remember(session.path);
        seen.add(session.path);
      }
      notes.push(...notesOf(scan));
    }
    const found = {
      sessions: (await sortInSlices(sessions, newestFirst, slices)) as readonly AgentSession[],
      notes,
      isPart: cancel.isCancellationRequested || scans.some(({ scan }) => !scan.isDone),
    };
    if (!found.isPart) this.last = { at, found };
    return found;
  }

  private stepsOf(agent: AgentHomeId): AsyncGenerator<Step> {
    const walk = new Walk(this.parts.scanFiles);
    return FIND_SESSIONS[agent](searched(agent, this.parts), walk);
  }

  private remember(path: string): void {
    if (this.known.size >= SCAN_LIMITS.files) this.known.clear();
    this.known.add(path);
  }

  /** Transcripts among what is open: files that are, and those in open folders. `writers` gets who wrote them. */
  private async *open(writers: Map<string, AgentId>, cancel: Cancel): AsyncGenerator<Step> {
    const { roots, files, scanFiles, utf8, isTrusted } = this.parts;
    const looksRight = async (path: string): Promise<boolean> => {
      const format = await formatOfFile(path, files, utf8);
      const writer = format === undefined ? "unknown" : FILE_AGENTS[format];
      if (writer !== "unknown") writers.set(path, writer);
      return format !== undefined;
    };
    for (const root of roots()) {
      const stat = await files.stat(root);
      if (stat.kind === "file" && (await looksRight(root)))
        yield { kind: "file", path: root, label: root, place: root };
      // In a workspace that is not trusted only what the user opened.
      if (stat.kind === "directory" && isTrusted())
        yield* folderSessions(root, { files: scanFiles, isTranscript: looksRight, now: systemTime.now, cancel });
    }
  }
}

function notesOf({ found }: SessionScan): readonly string[] {
  const { troubles, troublesOmitted, omitted } = found;
  return [
    ...troubles.map(({ path, code }) =>
      code === "cut"
        ? `${path} holds more than is looked at, so sessions in it may be missing here.`
        : `${path} could not be listed (${code}), so sessions in it are missing here.`,
    ),
    ...(troublesOmitted > 0 ? [`${troublesOmitted} more folders could not be listed.`] : []),
    ...(omitted > 0 ? [`${omitted} more files are beyond the bound of the list.`] : []),
  ];
}
