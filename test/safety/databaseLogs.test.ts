import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../extension/src/core/ports";
import { copyPrivately } from "../../extension/src/node/privateCopy";
import { makeDatabase, scratchFolder } from "../unit/database/support";

const folder = scratchFolder();

describe.skipIf(process.platform === "win32")("a link beside a database", () => {
  it.each(["-wal", "-journal"])(
    "that is named like its log (%s) is not copied, whatever it leads to",
    async (suffix) => {
      const secret = join(folder, "secret");
      writeFileSync(secret, "SECRET ".repeat(100));
      const path = makeDatabase(join(folder, `of${suffix}.db`), { t: [{ id: 1, x: "y" }] });
      rmSync(path + suffix, { force: true });
      symlinkSync(secret, path + suffix);
      const copied = await copyPrivately(path, { tempFolder: folder }, NEVER_CANCELLED);
      if (!copied.ok || copied.value === "cancelled") throw new Error(JSON.stringify(copied));
      const names = readdirSync(dirname(copied.value.path));
      expect(names).toEqual(["copy.db"]);
      expect(readFileSync(copied.value.path, "latin1")).not.toContain("SECRET");
      copied.value.remove();
      expect(existsSync(copied.value.path)).toBe(false);
    },
  );
});
