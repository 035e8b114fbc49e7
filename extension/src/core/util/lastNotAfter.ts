/** Position of the last of ascending numbers at or below one; −1 when all are above. */
export function lastNotAfter(numbers: ArrayLike<number>, one: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= one) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
