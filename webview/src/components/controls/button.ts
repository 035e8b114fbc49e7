import { html, nothing, type TemplateResult } from "lit";
import type { IconName } from "../../styles/codicons";
import { icon } from "../icon";

export interface ButtonOptions {
  readonly label: string;
  readonly press: () => void;
  readonly kind?: "primary" | "secondary" | "icon";
  readonly icon?: IconName;
  readonly tip?: string;
  readonly disabled?: boolean;
}

/** `vscode-button`. An icon button shows only its icon; `label` is then its name and tooltip. */
export function button(options: ButtonOptions): TemplateResult {
  const kind = options.kind ?? "secondary";
  const iconOnly = kind === "icon";
  return html`<vscode-button
    appearance=${kind}
    aria-label=${iconOnly ? options.label : nothing}
    title=${options.tip ?? (iconOnly ? options.label : nothing)}
    ?disabled=${options.disabled ?? false}
    @click=${options.press}
    >${
      iconOnly
        ? icon(options.icon ?? "blank")
        : html`${options.icon === undefined ? nothing : icon(options.icon, { slot: "start" })}${options.label}`
    }</vscode-button
  >`;
}
