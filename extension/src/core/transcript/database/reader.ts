import type { Outbox } from "./access";

/** One kind of database. `read` yields after each row (the bytes it took) so that the caller can hand on and stop. */
export interface DatabaseReader {
  readonly out: Outbox;
  read(): Generator<number>;
}
