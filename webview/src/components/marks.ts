import type { Severity } from "../../../extension/src/core/model/problem";
import type { ResultState } from "../../../extension/src/core/model/transcript";
import type { FileStatus } from "../../../extension/src/protocol/webview";
import type { IconName } from "../styles/codicons";

export interface Mark {
  readonly icon: IconName;
  readonly tone: "plain" | "quiet" | "good" | "warning" | "error" | "info";
}

export const stateMarks: Readonly<Record<ResultState, Mark>> = {
  inline: { icon: "list-flat", tone: "quiet" },
  persisted: { icon: "archive", tone: "plain" },
  handle: { icon: "link", tone: "plain" },
  truncated: { icon: "screen-cut", tone: "warning" },
  pruned: { icon: "fold", tone: "plain" },
  cleared: { icon: "clear-all", tone: "quiet" },
  duplicate: { icon: "copy", tone: "quiet" },
  missing: { icon: "question", tone: "warning" },
};

export const fileMarks: Readonly<Record<FileStatus, Mark>> = {
  ok: { icon: "pass", tone: "good" },
  "size-differs": { icon: "warning", tone: "warning" },
  "preview-differs": { icon: "warning", tone: "warning" },
  expired: { icon: "history", tone: "quiet" },
  missing: { icon: "circle-slash", tone: "warning" },
  "other-machine": { icon: "vm", tone: "quiet" },
  sandbox: { icon: "package", tone: "quiet" },
  outside: { icon: "shield", tone: "warning" },
  unreadable: { icon: "lock", tone: "error" },
  "not-checked": { icon: "circle-outline", tone: "quiet" },
  none: { icon: "blank", tone: "quiet" },
};

export const severityMarks: Readonly<Record<Severity, Mark>> = {
  error: { icon: "error", tone: "error" },
  warning: { icon: "warning", tone: "warning" },
  info: { icon: "info", tone: "info" },
  hint: { icon: "info", tone: "quiet" },
};
