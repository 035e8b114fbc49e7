import type { Clock } from "../../ports";
import { measureText } from "../../util/textSize";
import { PAGE_UNITS, pageAt, wholeEnd } from "./page";
import { partOf, type RedactedText } from "./redacted";
import { type Retained, Retention, type RetentionLimits } from "./retention";

/** Whose results they are. Both keys must match; for us a chat session and a transcript. */
export interface Owner {
  readonly session: string;
  readonly transcript: string;
}

/** Bounds of the store. Source: OpenMausBot `server/tool-results.ts` @585ebf75. */
export interface StoreLimits extends RetentionLimits {
  /** Most UTF-16 units that are kept of one text. */
  readonly textUnits: number;
  /** From saving; reading does not renew it. Milliseconds. */
  readonly keepMs: number;
}

export const STORE_LIMITS: StoreLimits = {
  textUnits: 128 * 1024,
  ownerEntries: 16,
  ownerBytes: 2 * 1024 * 1024,
  entries: 128,
  bytes: 16 * 1024 * 1024,
  keepMs: 60 * 60 * 1000,
};

/** What was kept of a text. */
export interface Saved {
  readonly id: string;
  /** UTF-16 units that were kept. */
  readonly length: number;
  /** True when this is not the whole text: its tail was left out, here or before. */
  readonly truncated: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A part of a kept text. Offsets are UTF-16 units of the kept text. */
export interface Page extends Omit<Saved, "id"> {
  readonly text: string;
  /** Where `text` begins: the offset asked for, or one unit before it, when that would have split a character. */
  readonly offset: number;
  /** Where to go on; `length` when this was the last page. */
  readonly nextOffset: number;
}

export interface StorePorts {
  readonly clock: Clock;
  /** A new id of `r-` and a UUID. */
  newId(): string;
}

interface Entry extends Saved, Retained {
  readonly text: RedactedText;
}

/**
 * Full texts of large tool results, kept for a while in memory for the one who got their previews. Everything is bounded, the
 * oldest go first, and an id of another owner is answered as one that never existed. Texts come without their secrets, since a
 * secret that is cut here would be left standing in half.
 */
export class ResultStore {
  private readonly kept: Retention<Entry>;

  constructor(
    private readonly ports: StorePorts,
    private readonly limits: StoreLimits = STORE_LIMITS,
  ) {
    this.kept = new Retention(limits);
  }

  /** A turn of an owner: saves and reads until it is ended, then never again. What it saved outlives it. */
  beginTurn(owner: Owner): StoreTurn {
    return new StoreTurn(this, keyOf(owner));
  }

  /** @internal Through a turn only. */
  save(owner: string, text: RedactedText, truncated: boolean): Saved {
    const { limits, ports } = this;
    const now = ports.clock.now();
    const length = wholeEnd(text, limits.textUnits);
    const kept = copyOf(partOf(text, 0, length));
    const entry: Entry = {
      id: ports.newId(),
      length,
      truncated: truncated || length < text.length,
      expiresAt: now + limits.keepMs,
      owner,
      text: kept,
      bytes: measureText(kept).bytes,
    };
    this.kept.add(entry.id, entry, now);
    return savedOf(entry);
  }

  /** @internal Through a turn only. */
  read(owner: string, id: string, offset: number): Page | undefined {
    const entry = this.kept.get(id, this.ports.clock.now());
    if (entry === undefined || entry.owner !== owner) return undefined;
    const page = pageAt(entry.text, offset, PAGE_UNITS);
    if (page === undefined) return undefined;
    const { length, truncated, expiresAt } = entry;
    return { ...page, length, truncated, expiresAt };
  }

  /** Texts and UTF-8 bytes that are kept now. */
  get held(): { readonly entries: number; readonly bytes: number } {
    return this.kept.held(this.ports.clock.now());
  }
}

/** The right of one turn to save and read. Nothing of it works once the turn was ended. */
export class StoreTurn {
  private ended = false;

  constructor(
    private readonly store: ResultStore,
    private readonly owner: string,
  ) {}

  /** @param truncated the text is not all there was. Undefined when the turn was ended. */
  save(text: RedactedText, truncated = false): Saved | undefined {
    return this.ended ? undefined : this.store.save(this.owner, text, truncated);
  }

  /** Undefined for an id that is unknown, another owner's, expired or pushed out, for an offset outside the text, and after the end. */
  read(id: string, offset: number): Page | undefined {
    return this.ended ? undefined : this.store.read(this.owner, id, offset);
  }

  /** The turn was stopped or is over. */
  end(): void {
    this.ended = true;
  }
}

/** Any two texts, whatever they contain, give a key of their own. */
function keyOf({ session, transcript }: Owner): string {
  return JSON.stringify([session, transcript]);
}

function savedOf({ id, length, truncated, expiresAt }: Entry): Saved {
  return { id, length, truncated, expiresAt };
}

/** A text in memory of its own: a part of a longer one would keep all of that alive, beyond what is counted here. */
function copyOf(text: RedactedText): RedactedText {
  return JSON.parse(JSON.stringify(text)) as RedactedText;
}
