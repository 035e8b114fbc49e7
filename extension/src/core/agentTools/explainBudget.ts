import { ok } from "../model/problem";
import type { CallContext } from "./callContext";
import { longText } from "./longText";
import type { Answered, ConfigAsked } from "./ports";

/** A config explained, as Markdown. */
export async function explainBudget(asked: ConfigAsked, call: CallContext): Promise<Answered<string>> {
  const { ports, caller, turn } = call;
  const config = await ports.mayRead(asked.config, "config", caller, turn.stop);
  if (!config.ok) return config;
  const explained = await ports.explainConfig({ ...asked, config: config.value }, turn.stop);
  return explained.ok ? ok((await longText(explained.value, asked.config, false, call)).text) : explained;
}
