import { html, nothing, type TemplateResult } from "lit";
import type { IconName } from "../../styles/codicons";
import { icon } from "../icon";

export interface TextFieldOptions {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly icon?: IconName;
  /** A class, for the styles. */
  readonly kind?: string;
  /** What stands in it means nothing. */
  readonly isWrong?: boolean;
  readonly input: (value: string) => void;
  readonly enter?: () => void;
  readonly escape?: () => void;
}

/**
 * `vscode-text-field`; reports every keystroke. The toolkit names the field by its text content and calls it "Text field"
 * where there is none, whatever its `aria-label` says: hence the hidden text.
 */
export function textField(options: TextFieldOptions): TemplateResult {
  return html`<vscode-text-field
    class=${options.kind ?? nothing}
    aria-label=${options.label}
    aria-invalid=${options.isWrong === true ? "true" : nothing}
    title=${options.kind === undefined ? nothing : options.label}
    placeholder=${options.placeholder}
    .value=${options.value}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === "Enter") {
        options.enter?.();
      } else if (event.key === "Escape") {
        options.escape?.();
      }
    }}
    @input=${(event: Event) => options.input((event.target as HTMLElement & { value: string }).value)}
    >${options.icon === undefined ? nothing : icon(options.icon, { slot: "start" })}<span slot="start" hidden
      >${options.label}</span
    ></vscode-text-field
  >`;
}
