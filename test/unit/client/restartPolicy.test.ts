import { expect, it } from "vitest";
import { RestartPolicy } from "../../../extension/src/client/restartPolicy";

it("allows so many crashes in the window, forgets old ones, and starts over on reset", () => {
  let now = 0;
  const policy = new RestartPolicy({ restarts: 2, windowMs: 1000 }, { now: () => now });
  expect([policy.crashed(), policy.crashed(), policy.crashed()]).toEqual([true, true, false]);
  now = 999;
  expect(policy.crashed()).toBe(false);
  now = 2500;
  expect(policy.crashed()).toBe(true);
  expect(policy.crashed()).toBe(true);
  expect(policy.crashed()).toBe(false);
  policy.reset();
  expect(policy.crashed()).toBe(true);
});
