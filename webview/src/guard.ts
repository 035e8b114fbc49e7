/** Parts of which guards are made. */

export type Guard<T> = (value: unknown) => value is T;

/** One entry per member of the union; the compiler checks completeness. */
export type Members<T extends string> = { readonly [K in T]: true };

export const isString: Guard<string> = (value) => typeof value === "string";
export const isBoolean: Guard<boolean> = (value) => typeof value === "boolean";
export const isNumber: Guard<number> = (value): value is number => typeof value === "number" && Number.isFinite(value);
export const isCount: Guard<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export function oneOf<T extends string>(members: Members<T>): Guard<T> {
  return (value): value is T => typeof value === "string" && Object.hasOwn(members, value);
}
export function orNull<T>(guard: Guard<T>): Guard<T | null> {
  return (value): value is T | null => value === null || guard(value);
}
export function listOf<T>(guard: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(guard);
}
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** Further keys are allowed: a newer host may say more. */
export function shape<T extends object>(fields: { readonly [K in keyof T]-?: Guard<T[K]> }): Guard<T> {
  const keys = Object.keys(fields);
  const guards = Object.values(fields) as Guard<unknown>[];
  // A plain loop: this runs for every field of up to 100,000 rows.
  return (value): value is T => {
    if (!isRecord(value)) {
      return false;
    }
    for (let at = 0; at < keys.length; at++) {
      if (guards[at]?.(value[keys[at] ?? ""]) !== true) {
        return false;
      }
    }
    return true;
  };
}
