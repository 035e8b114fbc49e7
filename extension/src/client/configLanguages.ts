/** Language ids of the documents that may hold agent config. */
export const CONFIG_LANGUAGES = ["yaml", "json", "jsonc"] as const;
