import type { Connection } from "vscode-languageserver";
import {
  CONFIG_SUMMARY,
  CONFIG_THRESHOLD,
  type ConfigSummaryResult,
  type ConfigTextParams,
  type ConfigThresholdResult,
  EXPLAIN_CONFIG,
  EXPLAIN_CONFIG_TEXT,
  type ExplainConfigParams,
  type ExplainConfigResult,
  type ExplainConfigTextParams,
  SET_THRESHOLD,
  type SetThresholdParams,
  type SetThresholdResult,
} from "../protocol/lsp";
import { configSummary } from "../service/configSummary";
import { configThreshold, thresholdEdits } from "../service/configThreshold";
import type { CheckedDocument } from "../service/context";
import { explainConfig } from "../service/explainConfig";
import { createFormat } from "../service/format";
import type { Session } from "./session";
import type { ShownTexts } from "./shownTexts";

/** Answers the requests of our own client, which `protocol/lsp.ts` names. `session`: the one since the client last said hello. */
export function answerConfigRequests(
  connection: Connection,
  shown: ShownTexts,
  checkedAt: (uri: string) => CheckedDocument | undefined,
  session: () => Session,
): void {
  connection.onRequest(EXPLAIN_CONFIG, async ({ uri }: ExplainConfigParams): Promise<ExplainConfigResult | null> => {
    const checked = checkedAt(uri);
    if (checked === undefined || checked.options.isAgentConfig === false) return null;
    const place = session().checks.placeOf(checked.document);
    return shown.masked({ markdown: explainConfig(checked, place, createFormat(session().locale)) }, checked);
  });
  connection.onRequest(
    EXPLAIN_CONFIG_TEXT,
    async (params: ExplainConfigTextParams): Promise<ExplainConfigResult | null> => {
      const checked = session().checks.asConfig(params);
      if (checked === undefined) return null;
      const place = session().checks.placeOf(checked.document);
      return shown.masked({ markdown: explainConfig(checked, place, createFormat(session().locale), params) }, checked);
    },
  );
  connection.onRequest(CONFIG_SUMMARY, async ({ uri }: ExplainConfigParams): Promise<ConfigSummaryResult | null> => {
    const checked = checkedAt(uri);
    if (checked === undefined || checked.options.isAgentConfig === false) return null;
    return shown.masked(configSummary(checked, createFormat(session().locale)), checked);
  });
  connection.onRequest(CONFIG_THRESHOLD, (params: ConfigTextParams): ConfigThresholdResult | null => {
    const checked = session().checks.asConfig(params);
    return checked === undefined ? null : configThreshold(checked);
  });
  connection.onRequest(SET_THRESHOLD, (params: SetThresholdParams): SetThresholdResult | null => {
    const checked = session().checks.asConfig(params);
    return checked === undefined ? null : thresholdEdits(checked, params.threshold);
  });
}
