import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { formatSize, notSavedText, persistText } from "../../../extension/src/core/results/block";
import { spillFileName } from "../../../extension/src/core/results/fileName";
import { unwrapMcpEnvelope } from "../../../extension/src/core/results/mcpEnvelope";
import { cutPreview } from "../../../extension/src/core/results/preview";
import { grouped } from "../../../extension/src/core/util/numbers";
import { pythonFloat } from "../../../extension/src/core/util/pythonJson";
import { countCodePoints, tailCodePoints } from "../../../extension/src/core/util/textSize";
import { hasCorpus } from "../../corpus";
import { join, type Parts, type RecordedText, readOracle, textOf } from "./oracle";

const digest = { sha256Hex: (text: string): string => createHash("sha256").update(text, "utf8").digest("hex") };

/** `str()` of a value that is not a text, or empty for one that is false in Python. */
function pythonText(type: string, value: unknown): string {
  if (type === "bool") return value === true ? "True" : "";
  return type === "int" && value === "0" ? "" : String(value ?? "");
}

/** UTF-8 with lone surrogates as three bytes each, as the recorder wrote it. */
function surrogatePass(text: string): Buffer {
  const chunks: Buffer[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const lone = code >= 0xd800 && code <= 0xdfff;
    chunks.push(
      lone ? Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)]) : Buffer.from(character),
    );
  }
  return Buffer.concat(chunks);
}

describe.skipIf(!hasCorpus)("the builders agree with what Hermes wrote", () => {
  interface PreviewCase {
    readonly parts: Parts;
    readonly max_chars: number;
    readonly length: number;
    readonly preview_length: number;
    readonly has_more: boolean;
    readonly preview_tail: string;
    readonly preview_sha256: string;
  }
  interface Block {
    readonly parts: Parts;
    readonly length: number;
    readonly tool: string;
    readonly id: string;
    readonly unchanged?: true;
    readonly output?: RecordedText;
    readonly output_v0_8_0?: RecordedText;
    readonly temp_dir?: string | null;
    readonly file?: string;
    readonly file_bytes?: number;
    readonly file_sha256?: string;
  }
  interface Envelope {
    readonly content: RecordedText;
    readonly id: string;
    readonly output?: RecordedText;
    readonly file_text?: RecordedText;
    readonly file_length?: number;
  }
  interface Blocks {
    readonly current: readonly Block[];
    readonly previous: readonly Block[];
    readonly failed_save: readonly Block[];
    readonly mcp_envelope: readonly Envelope[];
  }
  interface NameCase {
    readonly id: { readonly t: string; readonly v?: unknown };
    readonly file?: string;
    readonly error?: string;
  }

  const blocks = hasCorpus
    ? readOracle<Blocks>("oracle", "block.json")
    : { current: [], previous: [], failed_save: [], mcp_envelope: [] };

  it("preview.json: every cut", () => {
    const { cases } = readOracle<{ readonly cases: readonly PreviewCase[] }>("oracle", "preview.json");
    expect(cases.length).toBe(199);
    for (const entry of cases) {
      const full = join(entry.parts);
      const cut = cutPreview(full, entry.max_chars);
      expect(countCodePoints(full)).toBe(entry.length);
      expect([cut.chars, cut.hasMore]).toEqual([entry.preview_length, entry.has_more]);
      expect(countCodePoints(cut.text)).toBe(cut.chars);
      expect(tailCodePoints(cut.text, 12)).toBe(entry.preview_tail);
      const hash = createHash("sha256").update(surrogatePass(cut.text)).digest("hex");
      expect(hash.slice(0, 16)).toBe(entry.preview_sha256);
    }
  });

  it("filename.json: every name", () => {
    const { cases } = readOracle<{ readonly cases: readonly NameCase[] }>("oracle", "filename.json");
    expect(cases.length).toBe(191);
    for (const { id, file, error } of cases) {
      // Values that are false in Python count as no id; others by their str().
      const text = id.t === "str" ? textOf(id.v as RecordedText) : pythonText(id.t, id.v);
      const name = spillFileName(id.t === "NoneType" ? undefined : text, digest);
      if (error !== undefined) expect(name.ok).toBe(false);
      else expect(name).toEqual({ ok: true, value: file });
    }
  });

  it("block.json current: block, file name, file contents", () => {
    for (const entry of blocks.current) {
      if (entry.unchanged) continue;
      const name = spillFileName(entry.id, digest);
      const path = `/home/user/.hermes/cache/spillover/${name.ok ? name.value : ""}`;
      const built = persistText(join(entry.parts), path);
      expect(built.block).toBe(textOf(entry.output ?? ""));
      expect(path).toBe(entry.file);
      // The file holds `?` for a lone surrogate.
      const bytes = Buffer.from(built.fileText.replace(/\p{Surrogate}/gu, "?"));
      expect(bytes.length).toBe(entry.file_bytes);
      expect(createHash("sha256").update(bytes).digest("hex").slice(0, 16)).toBe(entry.file_sha256);
    }
  });

  it("block.json previous: v2026.8.16.2 and v0.8.0", () => {
    for (const entry of blocks.previous) {
      if (entry.unchanged) continue;
      const full = join(entry.parts);
      const name = spillFileName(entry.id, digest);
      const temp = entry.temp_dir ?? "/tmp";
      const folder = temp === "/" ? "//hermes-results" : `${temp.replace(/\/$/, "")}/hermes-results`;
      expect(persistText(full, `${folder}/${name.ok ? name.value : ""}`, "plain").block).toBe(
        textOf(entry.output ?? ""),
      );
      if (entry.output_v0_8_0 !== undefined) {
        expect(persistText(full, `/tmp/hermes-results/${entry.id}.txt`, "plain").block).toBe(
          textOf(entry.output_v0_8_0),
        );
      }
    }
  });

  it("block.json failed_save", () => {
    for (const entry of blocks.failed_save) expect(notSavedText(join(entry.parts))).toBe(textOf(entry.output ?? ""));
  });

  it("block.json mcp_envelope: block and file", () => {
    for (const entry of blocks.mcp_envelope) {
      if (entry.output === undefined || entry.file_text === undefined) continue;
      const built = persistText(textOf(entry.content), `/home/user/.hermes/cache/spillover/${entry.id}.txt`);
      expect(built.fileText).toBe(textOf(entry.file_text));
      expect(built.chars).toBe(entry.file_length);
      expect(built.block).toBe(textOf(entry.output));
    }
  });
});

describe("numbers as Python writes them", () => {
  it.each([
    [1, "1.0"],
    [1.5, "1.5"],
    [-0, "-0.0"],
    [1e15, "1000000000000000.0"],
    [1e16, "1e+16"],
    [1.25e-5, "1.25e-05"],
    [0.0001, "0.0001"],
    [123456.789, "123456.789"],
    [-1e300, "-1e+300"],
    [Number.NEGATIVE_INFINITY, "-Infinity"],
  ])("%s", (value, text) => {
    expect(pythonFloat(value)).toBe(text);
  });

  it("rounds sizes to the even tenth", () => {
    expect(formatSize(256)).toBe("0.2 KB");
    expect(formatSize(768)).toBe("0.8 KB");
    expect(formatSize(1_048_575)).toBe("1024.0 KB");
    expect(formatSize(1_048_576)).toBe("1.0 MB");
    expect(grouped(1_234_567)).toBe("1,234,567");
    expect(grouped(999)).toBe("999");
  });
});

describe("MCP envelopes", () => {
  it("sorts keys by code point and keeps big integers and floats", () => {
    const text = unwrapMcpEnvelope('{"result":"r","_meta":{"\\ue000":1,"😀":12345678901234567890,"a":1e2,"b":-0}}');
    expect(text).toBe(
      'r\n\n<mcp-result-metadata>\n{\n "_meta": {\n  "a": 100.0,\n  "b": 0,\n  "\ue000": 1,\n  "😀": 12345678901234567890\n }\n}\n</mcp-result-metadata>\n',
    );
  });

  it.each(['{"result":"a\nb"}', '{"result":"a",}', '{"result":01}', "", "{", '{"result":"x"}x', '{"__proto__":"x"}'])(
    "leaves %j alone",
    (text) => {
      expect(unwrapMcpEnvelope(text)).toBeUndefined();
    },
  );

  it("gives up on a depth bomb", () => {
    expect(unwrapMcpEnvelope(`{"result":"x","_meta":${"[".repeat(200_000)}`)).toBeUndefined();
  });
});
