import type { SecretFinder } from "../core/ports";
import { secretFinder } from "../node/secrets";
import { isMasking } from "./settings";

/** Finds the secrets that are to be masked: none while the user turned masking off. */
export function maskingFinder(): SecretFinder {
  const rules = secretFinder();
  return { find: async (text) => (isMasking() ? rules.find(text) : []) };
}
