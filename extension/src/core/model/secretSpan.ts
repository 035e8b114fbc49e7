/** A secret inside a text: half-open range in UTF-16 units. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** Which rule found it, such as `github` or `privatekey`. */
  readonly rule: string;
}
