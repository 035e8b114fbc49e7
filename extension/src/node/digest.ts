import { createHash } from "node:crypto";
import type { Digest } from "../core/ports";

export const nodeDigest: Digest = {
  sha256Hex: (text) => createHash("sha256").update(text, "utf8").digest("hex"),
};
