/** Parent of an event that begins a branch of its own. */
const NO_PARENT = "__root__";

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

  /**
   * An event that follows on another. What was left for it, newest last, often nothing; "left" when the other lies on a
   * branch that was left before.
   */
  follow(id: string, parent: string | undefined): readonly string[] | "left" {
    const gone = parent === undefined ? [] : this.backTo(parent);
    if ((this.places.get(id) ?? -1) < 0) this.places.set(id, this.path.push(id) - 1);
    return gone;
  }

  /** The conversation goes on behind this event; of an event that is not known nothing is said. */
  backTo(id: string): readonly string[] | "left" {
    const place = id === NO_PARENT ? -1 : this.places.get(id);
    if (place === undefined) return [];
    if (place < 0 && id !== NO_PARENT) return "left";
    const gone = this.path.splice(place + 1);
    for (const left of gone) this.places.set(left, -1);
    return gone;
  }
}
