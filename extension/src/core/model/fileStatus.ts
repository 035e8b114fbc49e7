/** Status of the file behind a path. `not-checked` until the host has looked. */
export type FileStatus =
  | "none"
  | "not-checked"
  | "ok"
  | "size-differs"
  | "preview-differs"
  | "expired"
  | "missing"
  | "other-machine"
  | "sandbox"
  | "outside"
  | "unreadable";
