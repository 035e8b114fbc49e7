/** A count, as the locale writes it, with its noun. */
export function plural(count: string, one: string, many: string): string {
  return `${count} ${count === "1" ? one : many}`;
}
