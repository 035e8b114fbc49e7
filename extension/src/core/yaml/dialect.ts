/**
 * Which parser reads the text. Three generations are in use, and they disagree:
 * - `libyaml-0.2.5`: under PyYAML 6 (Hermes up to v2026.8.16.2);
 * - `libyaml-0.1.7`: built into ruamel.yaml's C extension, which newer Hermes asks first;
 * - `ruamel-pure`: ruamel.yaml's own parser, which newer Hermes asks when the C one raises a YAML error.
 */
export type Dialect = "libyaml-0.2.5" | "libyaml-0.1.7" | "ruamel-pure";

/** Scalar rules: PyYAML's 1.1, ruamel's 1.1, ruamel's 1.2; `none` when `%YAML` names a version ruamel has no rules for. */
export type ScalarRules = "pyyaml" | "ruamel-1.1" | "ruamel-1.2" | "none";

const V1_1 = 1_000_001;
const V1_2 = 1_000_002;

function versionNumber(major: number, minor: number): number {
  return major * 1_000_000 + minor;
}

/**
 * ruamel's pure parser is told "1.1" but forgets it: an explicit document start resets the version to what `%YAML` says,
 * and the rules are chosen at their first use (ruamel.yaml main.py, resolver.py and parser.py, 0.17.21 and 0.18.14).
 * The C parsers never change their rules.
 */
export class VersionState {
  private told: number | undefined = V1_1;
  private chosen: number | undefined;
  private directive: number | undefined;

  constructor(private readonly dialect: Dialect) {}

  /** `%YAML major.minor` was scanned. */
  onDirective(major: number, minor: number): void {
    this.directive = versionNumber(major, minor);
  }

  /** The directives of an explicit document were processed. */
  onExplicitDocument(major: number | undefined, minor: number | undefined): void {
    this.told = major === undefined || minor === undefined ? undefined : versionNumber(major, minor);
  }

  private current(): number {
    if (this.chosen === undefined) this.chosen = this.told ?? V1_2;
    return this.directive ?? this.chosen;
  }

  /** True when exactly YAML 1.1 is in force. */
  is11(): boolean {
    return this.dialect !== "ruamel-pure" || this.current() === V1_1;
  }

  isAfter11(): boolean {
    return this.dialect === "ruamel-pure" && this.current() > V1_1;
  }

  rules(): ScalarRules {
    if (this.dialect === "libyaml-0.2.5") return "pyyaml";
    if (this.dialect === "libyaml-0.1.7") return "ruamel-1.1";
    const version = this.current();
    if (version === V1_1) return "ruamel-1.1";
    return version === V1_2 ? "ruamel-1.2" : "none";
  }
}
