/** `pyyaml`: Hermes up to v2026.8.16.2 (CSafeLoader). `ruamel`: newer Hermes (hermes_yaml.py @7bcdadfd), the default. */
export type LoaderId = "pyyaml" | "ruamel";
