import { html, nothing, type TemplateResult } from "lit";
import { badge } from "./badge";

export interface Panel {
  readonly id: string;
  readonly label: string;
  /** Shown behind the label, with `badgeLabel` for those who hear it. */
  readonly badge?: string;
  readonly badgeLabel?: string;
  readonly body: unknown;
}

/** `vscode-panels` with its tabs and views; `end` stands behind the tabs. Views beyond the shown one draw nothing. */
export function panels(
  all: readonly Panel[],
  active: string,
  show: (id: string) => void,
  end: unknown,
): TemplateResult {
  return html`<vscode-panels
    activeid=${`tab-${active}`}
    @change=${(event: Event) => {
      const { activeid } = event.target as HTMLElement & { activeid: string };
      const panel = all.find((candidate) => activeid === `tab-${candidate.id}`);
      if (panel !== undefined && panel.id !== active) {
        show(panel.id);
      }
    }}
    >${all.map(
      (panel) =>
        html`<vscode-panel-tab id=${`tab-${panel.id}`}
          >${panel.label}${panel.badge === undefined ? nothing : badge(panel.badge, panel.badgeLabel ?? panel.badge)}</vscode-panel-tab
        >`,
    )}${all.map(
      (panel) =>
        html`<vscode-panel-view id=${`view-${panel.id}`}>${panel.id === active ? panel.body : nothing}</vscode-panel-view>`,
    )}<div slot="end">${end}</div></vscode-panels
  >`;
}
