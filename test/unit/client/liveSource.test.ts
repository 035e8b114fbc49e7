import { expect, it } from "vitest";
import { LiveSource } from "../../../extension/src/client/views/liveSource";
import type { FileNews } from "../../../extension/src/node/followFile";
import { settle } from "./fakes";

/** A source whose one reading ends as told. */
function reading() {
  const failures: unknown[] = [];
  let say: (news: FileNews) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const source = new LiveSource({
    follow: (heard) => {
      say = heard;
      return { dispose: () => undefined };
    },
    after: () => ({ dispose: () => undefined }),
    settled: () => Promise.resolve(),
    reread: () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
    liveChanged: () => undefined,
    gone: () => undefined,
    failed: (error) => failures.push(error),
  });
  say({ what: "changed", live: true });
  return { source, failures, fail: (error: Error) => fail(error) };
}

it("says that a reading failed, but not of one that was ended by closing the transcript", async () => {
  const open = reading();
  const closed = reading();
  await settle();
  closed.source.dispose();
  const error = new Error("its thread ended");
  open.fail(error);
  closed.fail(error);
  await settle();
  expect(open.failures).toEqual([error]);
  expect(closed.failures).toEqual([]);
});
