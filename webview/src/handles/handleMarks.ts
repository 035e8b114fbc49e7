import type { HandleUse, Readable } from "../../../extension/src/core/model/resultHandle";
import type { Mark } from "../components/marks";

export const useMarks: Readonly<Record<HandleUse, Mark>> = {
  never: { icon: "circle-slash", tone: "quiet" },
  read: { icon: "check", tone: "good" },
  repeated: { icon: "refresh", tone: "warning" },
  unknown: { icon: "question", tone: "quiet" },
};

export const readableMarks: Readonly<Record<Readable, Mark>> = {
  yes: { icon: "pass", tone: "good" },
  no: { icon: "history", tone: "quiet" },
  unknown: { icon: "question", tone: "quiet" },
  "not-yet": { icon: "circle-outline", tone: "quiet" },
};
