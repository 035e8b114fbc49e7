import { type Connection, ErrorCodes, ResponseError } from "vscode-languageserver";
import {
  CONFIG_SUMMARY,
  CONFIG_THRESHOLD,
  type ConfigSummaryResult,
  type ConfigThresholdResult,
  EXPLAIN_CONFIG,
  EXPLAIN_CONFIG_TEXT,
  type ExplainConfigResult,
  isConfigTextParams,
  isExplainConfigParams,
  isExplainConfigTextParams,
  isSetThresholdParams,
  SET_THRESHOLD,
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
  /** Another client may ask with anything: what is not of the shape is an error that names the request. */
  const answer = <In>(
    method: string,
    isAsked: (params: unknown) => params is In,
    run: (params: In) => object | null | Promise<object>,
  ): void => {
    connection.onRequest(method, (params: unknown) =>
      isAsked(params)
        ? run(params)
        : new ResponseError<void>(ErrorCodes.InvalidParams, `${method} was asked with parameters of another shape.`),
    );
  };
  answer(EXPLAIN_CONFIG, isExplainConfigParams, ({ uri }): Promise<ExplainConfigResult> | null => {
    const checked = checkedAt(uri);
    if (checked === undefined || checked.options.isAgentConfig === false) return null;
    const place = session().checks.placeOf(checked.document);
    return shown.masked({ markdown: explainConfig(checked, place, createFormat(session().locale)) }, checked);
  });
  answer(EXPLAIN_CONFIG_TEXT, isExplainConfigTextParams, (params): Promise<ExplainConfigResult> | null => {
    const checked = session().checks.asConfig(params);
    if (checked === undefined) return null;
    const place = session().checks.placeOf(checked.document);
    return shown.masked({ markdown: explainConfig(checked, place, createFormat(session().locale), params) }, checked);
  });
  answer(CONFIG_SUMMARY, isExplainConfigParams, ({ uri }): Promise<ConfigSummaryResult> | null => {
    const checked = checkedAt(uri);
    if (checked === undefined || checked.options.isAgentConfig === false) return null;
    return shown.masked(configSummary(checked, createFormat(session().locale)), checked);
  });
  answer(CONFIG_THRESHOLD, isConfigTextParams, (params): ConfigThresholdResult | null => {
    const checked = session().checks.asConfig(params);
    return checked === undefined ? null : configThreshold(checked);
  });
  answer(SET_THRESHOLD, isSetThresholdParams, (params): SetThresholdResult | null => {
    const checked = session().checks.asConfig(params);
    return checked === undefined ? null : thresholdEdits(checked, params.threshold);
  });
}
