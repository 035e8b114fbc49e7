/** Adds all of a list to another one. `push(...more)` puts each on the stack, which overflows from some 100,000 on. */
export function pushAll<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
