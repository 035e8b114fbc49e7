import { html, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";

export interface DropdownOptions {
  readonly label: string;
  /** Text of the entry that stands for "no choice". */
  readonly all: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | null;
  readonly change: (value: string | null) => void;
}

const ALL = "";

/** `vscode-dropdown` whose first entry means null. Option values are prefixed so that no value can be mistaken for it. */
export function dropdown(options: DropdownOptions): TemplateResult {
  const selected = options.value === null ? ALL : `=${options.value}`;
  // A value that no longer occurs stays listed, so that the control never shows something else than what filters.
  const listed =
    options.value === null || options.options.some((option) => option.value === options.value)
      ? options.options
      : [...options.options, { value: options.value, label: options.value }];
  const entries = [
    { value: ALL, label: options.all },
    ...listed.map((option) => ({ value: `=${option.value}`, label: option.label })),
  ];
  return html`<vscode-dropdown
    aria-label=${options.label}
    title=${options.label}
    position="below"
    .value=${selected}
    ${ref((element) => settle(element, selected))}
    @change=${(event: Event) => {
      const { value } = event.target as HTMLElement & { value: string };
      options.change(value === ALL ? null : value.slice(1));
    }}
    >${repeat(
      entries,
      (entry) => entry.value,
      (entry) =>
        html`<vscode-option value=${entry.value} ?selected=${entry.value === selected}>${entry.label}</vscode-option>`,
    )}</vscode-dropdown
  >`;
}

/** The control takes a value only while it has its option, and learns of new options after they were drawn. */
function settle(element: Element | undefined, value: string): void {
  if (element === undefined) return;
  const control = element as HTMLElement & { value: string };
  requestAnimationFrame(() => {
    if (control.isConnected && control.value !== value) control.value = value;
  });
}
