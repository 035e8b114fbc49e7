import { expect, it } from "vitest";
import { SAMPLES } from "./samples";
import { read } from "./support";

/** JavaScript throws where such an object is to become a text or a number. */
const NOT_TEXT = '{"toString":1,"valueOf":1}';

/** The content with each of its short scalar values in turn replaced; at most `most` of them, evenly. */
function* replaced(content: string, most: number): Generator<string> {
  const found = [...content.matchAll(/(?<=": ?)(?:"[^"\\]{0,60}"|\d+)(?=\s*[,}])/g)];
  const step = Math.max(1, Math.floor(found.length / most));
  for (let i = 0; i < found.length; i += step) {
    const [value] = found[i] ?? [""];
    const at = found[i]?.index ?? 0;
    yield content.slice(0, at) + NOT_TEXT + content.slice(at + value.length);
  }
}

it.each(SAMPLES)(
  "%s: an object in place of any text or number is never thrown over",
  async (_name, format, content) => {
    let runs = 0;
    for (const changed of replaced(content, 200)) {
      // With and without the format's name: the rules that tell it see the object too.
      await read(changed);
      const index = await read(changed, { format });
      expect(index.header?.format).toBe(format);
      runs++;
    }
    expect(runs).toBeGreaterThan(0);
  },
);
