import type { RecordPlace } from "../model/transcript";
import { LEDGER_PLACES, type LedgerTally, type NotCountedReason, type UsageLedger } from "../model/usageLedger";

export class Tally {
  count = 0;
  readonly places: RecordPlace[] = [];

  add(place: RecordPlace): void {
    this.count++;
    if (this.places.length < LEDGER_PLACES) this.places.push(place);
  }

  more(count: number, placeOf: (i: number) => RecordPlace): void {
    this.count += count;
    for (let i = 0; i < count && this.places.length < LEDGER_PLACES; i++) this.places.push(placeOf(i));
  }

  remove(place: RecordPlace): void {
    this.count--;
    const at = this.places.findIndex((one) => one.line === place.line && one.start === place.start);
    if (at >= 0) this.places.splice(at, 1);
  }

  told(): LedgerTally {
    return { count: this.count, places: [...this.places] };
  }
}

/** Keeps the ledger of usage records while a transcript is read: counts, and the first places of each kind. */
export class UsageTally {
  private readonly counted = new Tally();
  private readonly without = new Tally();
  private readonly reasons = new Map<NotCountedReason, Tally>();

  /** A new call; `stated` when its record states usage. */
  call(place: RecordPlace, stated: boolean): void {
    (stated ? this.counted : this.without).add(place);
  }

  /** A further record of a known call states usage; `callPlace` is the call's first record. */
  again(place: RecordPlace, callPlace: RecordPlace, known: boolean): void {
    if (known) this.skip("same-message", place);
    else {
      this.without.remove(callPlace);
      this.counted.add(place);
    }
  }

  /** A record that states usage and is not counted. */
  skip(reason: NotCountedReason, place: RecordPlace): void {
    this.of(reason).add(place);
  }

  /** Several records at once, as `call` and `skip` take them one by one; `placeOf`: of the first ones, as many as are kept. */
  more(what: "counted" | "without" | NotCountedReason, count: number, placeOf: (i: number) => RecordPlace): void {
    const tally = what === "counted" ? this.counted : what === "without" ? this.without : this.of(what);
    tally.more(count, placeOf);
  }

  private of(reason: NotCountedReason): Tally {
    let tally = this.reasons.get(reason);
    if (tally === undefined) {
      tally = new Tally();
      this.reasons.set(reason, tally);
    }
    return tally;
  }

  ledger(): UsageLedger {
    return {
      counted: this.counted.told(),
      notCounted: [...this.reasons].map(([reason, tally]) => ({ reason, ...tally.told() })),
      callsWithoutUsage: this.without.told(),
    };
  }
}
