import { describe, expect, it } from "vitest";
import { spreadsIn } from "./expressions";

/** Spreads into the arguments of a call whose length is bounded, and by what. A new one needs an entry, or `pushAll`. */
const BOUNDED: Readonly<Record<string, string>> = {
  "extension/src/client/hermesConfigs.ts found.push(home, ...names.map((name) => join(profiles, name)))":
    "profiles of a home",
  "extension/src/client/views/pageLink.ts found.rows.push(...hits.map(({ index }) => index))":
    "hits of a step of 64 texts",
  "extension/src/client/views/sessionsTree.ts nodes.unshift(...databases.map((one) => sessionNode(group, one)))":
    "databases that a person added",
  "extension/src/core/config/fixes.ts numbers.push(value.v, ...(seen !== undefined && seen !== value.v && seen > 0n ? [seen] : []))":
    "one",
  "extension/src/core/results/locate.ts found.push(...belowChosen(chosen, path, shape))":
    "places where one path may lie",
  "extension/src/core/transcript/database/readDatabase.ts lacking.push(...missing)": "columns that we need",
  'extension/src/core/transcript/openhandsStore.ts chunks.push(ascii("]"), ...(await stateOf(`${folder}${separator}base_state.json`, store, ports)), ascii("}\\n"))':
    "pieces of one small file",
  "extension/src/core/transcript/structure.ts String.fromCharCode(...this.keyBytes)": "256 bytes of a key",
  'extension/src/core/transcript/table/tableBytes.ts parts.push(...textParts("names", table.shared.names.list), ...textParts("texts", table.shared.texts))':
    "two parts each",
  "extension/src/core/util/unitText.ts String.fromCharCode(...units)": "STEP",
  "extension/src/node/agentToolPorts.ts listed.push(...(await Promise.all(page.slice(at, at + PARALLEL).map((one) => described(one, secrets)))))":
    "PARALLEL",
  "extension/src/node/agentTools/findSessions.ts notes.push(...notesOf(scan))": "sentences about one scan",
  "extension/src/node/sessions/timeSlices.ts sorted.push(...items.slice(at, at + RUN).sort(compare))": "RUN",
  "webview/src/searchMarks.ts parts.push(...cutAtHits(text.slice(from, mask.start), at, ranges))":
    "places of hits in one text",
  "webview/src/searchMarks.ts parts.push(...cutAtHits(text.slice(from), at, ranges))": "places of hits in one text",
  "webview/src/whatIf/whatIfSetup.ts Math.max(ASSUMPTIONS, ...cards.map((card) => card.id))":
    "policies that a person compares",
  "extension/src/client/sessionEstimate.ts sessions.push(...(await this.#sessionsOf(file, cancel)))":
    "sessions that are estimated on",
  "extension/src/client/views/detail.ts notes.push(...(report?.notes ?? []))": "sentences about one file",
};

describe("lists as arguments", () => {
  it("are spread only where their length is bounded: each argument takes room on the stack", () => {
    const found = spreadsIn(["extension/src", "webview/src"]);
    expect(found.filter((one) => !Object.hasOwn(BOUNDED, one))).toEqual([]);
    expect(Object.keys(BOUNDED).filter((one) => !found.includes(one))).toEqual([]);
  });
});
