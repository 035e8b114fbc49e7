import type { SecretFinder } from "../core/ports";

/** Finds secrets by secretlint's recommended rules, which are loaded at the first use. */
export function secretFinder(): SecretFinder {
  let loading: Promise<typeof import("./secretRules")> | undefined;
  return {
    async find(text) {
      if (text === "") return [];
      loading ??= import("./secretRules");
      return (await loading).findSecrets(text);
    },
  };
}
