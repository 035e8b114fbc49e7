/** Parent of an event that begins a branch of its own. */
const NO_PARENT = "__root__";
/** Events that are looked through for where a branch that was left leaves the path. */
const MOST_STEPS = 1_000;

/** What was left, newest last, often nothing. */
export interface Step {
  readonly gone: readonly string[];
  /** The conversation goes on with a branch that was left before. */
  readonly isResumed: boolean;
}

/**
 * The path of events that an OpenHands conversation is at. Events name the one before them (`parent_id`), and what the
 * model is sent is the path from the newest one to the root; an event that follows on an older one leaves the rest behind,
 * in its files, but not in context (software-agent-sdk PR 3922 and issue 4057). An event without `parent_id` follows on the
 * one before it in the log. Each event joins and leaves the path once, so this stays linear.
 */
export class OpenhandsTree {
  private path: string[] = [];
  /** Where on the path an event is; -1 for one that was left. */
  private readonly places = new Map<string, number>();
  private readonly parents = new Map<string, string>();

  /** An event that follows on another. */
  follow(id: string, parent: string | undefined): Step {
    const before = parent ?? this.path.at(-1);
    const step = parent === undefined ? { gone: [], isResumed: false } : this.backTo(parent);
    if (before !== undefined && !this.parents.has(id)) this.parents.set(id, before);
    if ((this.places.get(id) ?? -1) < 0) this.places.set(id, this.path.push(id) - 1);
    return step;
  }

  /** The conversation goes on behind this event; of an event that is not known nothing is said. */
  backTo(id: string): Step {
    const place = id === NO_PARENT ? -1 : this.places.get(id);
    if (place === undefined) return { gone: [], isResumed: false };
    const isResumed = place < 0 && id !== NO_PARENT;
    const last = isResumed ? this.fork(id) : place;
    if (last === undefined) return { gone: [], isResumed };
    const gone = this.path.splice(last + 1);
    for (const left of gone) this.places.set(left, -1);
    return { gone, isResumed };
  }

  /** Where on the path the branch of an event that was left begins; -1 = at the root, undefined = further than is looked. */
  private fork(id: string): number | undefined {
    let at: string | undefined = id;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      at = this.parents.get(at);
      if (at === undefined || at === NO_PARENT) return -1;
      const place = this.places.get(at);
      if (place !== undefined && place >= 0) return place;
    }
    return undefined;
  }
}
