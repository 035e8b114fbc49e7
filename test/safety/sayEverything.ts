/**
 * Opens transcripts as an inspector does and asks for all there is, while they are cut and removed. Arguments: folder of its own, the
 * reading threads' bundle, then transcripts. Prints every line that would go to the log, and nothing else.
 */
import { readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostLog } from "../../extension/src/client/log";
import { Watching } from "../soak/watching";

const [folder = "", workerFile = "", ...paths] = process.argv.slice(2);
const say = (text: string): void => console.log(text);
// Whatever is masked elsewhere, nothing of a transcript may be in the log to begin with.
const log = hostLog({ info: say, warn: say, error: say }, { find: async () => [] });
const store = join(folder, "store");
const world = { workerFile, store, home: folder, temporary: folder, log };

/** Problems are answers here, and what rejects goes into the log as the extension writes it. */
const logged = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => log.error("Inspector", error));

for (const path of paths) {
  const view = new Watching(path, world);
  const { session } = view;
  await session.finished;
  const rows = Math.min(5, session.full().rows.count);
  for (let n = 0; n < rows; n++) await logged(session.detail(n));
  await logged(session.overview(null));
  await logged(
    session.search({ text: "(", regex: true, matchCase: false }, { isCancellationRequested: false }, () => undefined),
  );
  // The index that was stored is damaged, then the file changes under the session.
  for (const name of readdirSync(store, { recursive: true, encoding: "utf8" }))
    if (/\.\w+$/.test(name)) writeFileSync(join(store, name), "damaged");
  session.read();
  await session.finished;
  truncateSync(path, 100);
  for (let n = 0; n < rows; n++) await logged(session.detail(n));
  session.read(true);
  await session.finished;
  rmSync(path);
  session.read(true);
  for (let n = 0; n < rows; n++) await logged(session.detail(n));
  await logged(
    session.search({ text: "a", regex: false, matchCase: false }, { isCancellationRequested: false }, () => undefined),
  );
  await session.finished;
  view.dispose();
}
log.info("everything was asked");
