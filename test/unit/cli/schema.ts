import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect } from "vitest";
import type { HandlesReport } from "../../../extension/src/cli/handlesReport";
import type { CheckReport, InspectReport, InspectReports } from "../../../extension/src/cli/report";
import type { AbOutput } from "../../../extension/src/core/compaction/report/abReport";
import type { SimulateReport } from "../../../extension/src/core/compaction/report/simulationReport";
import { repoPath } from "../../corpus";

const schema = JSON.parse(readFileSync(repoPath("schemas/report.schema.json"), "utf8"));
const ajv = new Ajv({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
});
ajv.addSchema(schema, "report");

interface Reports {
  readonly checkReports: readonly CheckReport[];
  readonly inspectReport: InspectReport;
  readonly inspectReports: InspectReports;
  readonly handlesReport: HandlesReport;
  readonly simulateReport: SimulateReport;
  readonly abReport: AbOutput;
}

/** Parses machine output and holds it against its part of schemas/report.schema.json. */
export function validated<K extends keyof Reports>(output: string, kind: K): Reports[K] {
  const value = JSON.parse(output);
  const validate = ajv.getSchema(`report#/definitions/${kind}`);
  if (validate === undefined) throw new Error(`the schema has no ${kind}`);
  const valid = validate(value);
  expect(validate.errors ?? [], `${kind} against the schema`).toEqual([]);
  expect(valid).toBe(true);
  return value;
}
