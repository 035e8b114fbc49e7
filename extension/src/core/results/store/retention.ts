/** What is kept, as far as it decides who stays. */
export interface Retained {
  readonly owner: string;
  /** UTF-8. */
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** How much is kept. */
export interface RetentionLimits {
  readonly ownerEntries: number;
  /** UTF-8 bytes. */
  readonly ownerBytes: number;
  readonly entries: number;
  /** UTF-8 bytes. */
  readonly bytes: number;
}

/** Which entries stay: so many of one owner, so many of all, the oldest out first, none beyond its time. Looks at no text. */
export class Retention<E extends Retained> {
  /** In the order in which they were added. */
  private readonly kept = new Map<string, E>();
  private bytes = 0;

  constructor(private readonly limits: RetentionLimits) {}

  /** Lets go of older ones where there is no room. `now`: milliseconds since the epoch, here and below. */
  add(id: string, entry: E, now: number): void {
    this.sweep(now);
    this.kept.set(id, entry);
    this.bytes += entry.bytes;
    this.makeRoom(entry.owner);
  }

  get(id: string, now: number): E | undefined {
    this.sweep(now);
    return this.kept.get(id);
  }

  /** Entries and UTF-8 bytes that are kept. */
  held(now: number): { readonly entries: number; readonly bytes: number } {
    this.sweep(now);
    return { entries: this.kept.size, bytes: this.bytes };
  }

  private sweep(now: number): void {
    for (const [id, entry] of this.kept) if (entry.expiresAt <= now) this.remove(id, entry);
  }

  private makeRoom(owner: string): void {
    const { ownerEntries, ownerBytes, entries, bytes } = this.limits;
    const own = [...this.kept].filter(([, entry]) => entry.owner === owner);
    let ownBytes = own.reduce((sum, [, entry]) => sum + entry.bytes, 0);
    let ownCount = own.length;
    for (const [id, entry] of own) {
      if (ownCount <= ownerEntries && ownBytes <= ownerBytes) break;
      this.remove(id, entry);
      ownCount--;
      ownBytes -= entry.bytes;
    }
    for (const [id, entry] of this.kept) {
      if (this.kept.size <= entries && this.bytes <= bytes) break;
      this.remove(id, entry);
    }
  }

  private remove(id: string, entry: E): void {
    if (this.kept.delete(id)) this.bytes -= entry.bytes;
  }
}
