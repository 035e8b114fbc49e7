import { expect, it } from "vitest";
import { timesAhead } from "../../../extension/src/core/transcript/timesAhead";

const NOW = Date.UTC(2026, 9, 1);
const at = (...times: readonly (string | undefined)[]) =>
  timesAhead(
    times.map((startedAt) => ({ startedAt })),
    NOW,
  );

it("names threads that begin in the future, with the latest time as it is written", () => {
  expect(at("2026-09-30T10:00:00Z", "2999-01-01T00:00:00Z", "2400-01-01 10:00")).toEqual({
    code: "time-ahead",
    severity: "info",
    message: expect.stringMatching(/^2 threads .*the latest 2999-01-01T00:00:00Z:/),
  });
});

it("takes no time zone for the future, and says nothing where no time can be read", () => {
  expect(at("2026-10-02T01:59:00Z", undefined, "", "soon", "20261350")).toBeUndefined();
  expect(at("2026-10-02T02:00:01Z")?.code).toBe("time-ahead");
});
