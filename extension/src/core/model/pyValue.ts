/**
 * A Python value as the agent's config loader would build it, tagged with Python's type name.
 * `date`, `datetime` and `other` carry Python's repr. A dict keeps insertion order; its keys are unique by Python equality.
 */
export type PyValue =
  | { readonly t: "NoneType" }
  | { readonly t: "bool"; readonly v: boolean }
  | { readonly t: "int"; readonly v: bigint }
  | { readonly t: "float"; readonly v: number }
  /**
   * `apart`: UTF-16 offsets of surrogates that were written as escapes, which only ruamel's pure parser lets through.
   * Python counts each as a character of its own and cannot encode the text.
   */
  | { readonly t: "str"; readonly v: string; readonly apart?: readonly number[] }
  | { readonly t: "bytes"; readonly v: Uint8Array }
  | { readonly t: "date"; readonly v: string }
  | { readonly t: "datetime"; readonly v: string }
  | { readonly t: "list"; readonly v: readonly PyValue[] }
  | { readonly t: "tuple"; readonly v: readonly PyValue[] }
  | { readonly t: "set"; readonly v: readonly PyValue[] }
  | { readonly t: "dict"; readonly v: readonly (readonly [PyValue, PyValue])[] }
  /** `entries`: what an ordereddict (`!!omap` in ruamel) holds. */
  | {
      readonly t: "other";
      readonly type: string;
      readonly repr: string;
      readonly entries?: readonly (readonly [PyValue, PyValue])[];
    };

export const PY_NONE: PyValue = { t: "NoneType" };
