import type { AgentToolPorts, Answered, ConfigAsked } from "../core/agentTools/ports";
import { SurroundingsFinder } from "../core/config/surroundings";
import { err, ok } from "../core/model/problem";
import { maskPieces, secretsIn } from "../core/secrets/knownSecrets";
import { visible } from "../node/openRules";
import { explainConfigText } from "../service/explainConfigText";
import type { CliIo } from "./io";
import { configLanguageOf, readConfigText } from "./readConfigText";

/** Explains config files as newer Hermes reads them, for agents. Paths were allowed before. */
export function fileExplainer(io: CliIo): AgentToolPorts["explainConfig"] {
  const { local } = io.surroundings;
  const finder = new SurroundingsFinder(io.surroundings);
  return async ({ config, model, contextWindow }: ConfigAsked): Promise<Answered<string>> => {
    const input = await readConfigText(config, io, { isReal: true });
    if ("problem" in input) return err({ message: `${visible(config)}: ${input.problem.message}` });
    const file = { path: config.replaceAll("\\", "/"), text: input.text, language: configLanguageOf(config) };
    const asked = {
      ...(model === undefined ? {} : { model }),
      ...(contextWindow === undefined ? {} : { contextWindow }),
    };
    const explained = explainConfigText(file, asked, { finder, local, loader: "ruamel" });
    // It shows the beginnings of long values, which no rule takes for secrets.
    return ok(maskPieces(explained, secretsIn(input.text, await io.secrets.find(input.text))));
  };
}
