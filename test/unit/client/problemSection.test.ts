import { expect, it } from "vitest";
import { problemSection } from "../../../extension/src/client/problemSection";

const README = `# Product

| code | meaning |
| --- | --- |
| \`yaml-error\` | The file cannot be read. |
| \`yaml-error-late\` | Another one. |

## Problems

### \`threshold-boolean\`
A boolean.

#### Why
Because.

### \`threshold-boolean-like\`
Another.

- \`bad-line\`: a line that is no JSON
`;

it.each([
  ["threshold-boolean", "### `threshold-boolean`\nA boolean.\n\n#### Why\nBecause."],
  ["threshold-boolean-like", "### `threshold-boolean-like`\nAnother.\n\n- `bad-line`: a line that is no JSON"],
  ["yaml-error", "# yaml-error\n\n| code | meaning |\n| --- | --- |\n| `yaml-error` | The file cannot be read. |"],
  ["bad-line", "# bad-line\n\n- `bad-line`: a line that is no JSON"],
  ["unheard-of", README],
])("finds what the README says about %s", (code, expected) => {
  expect(problemSection(README, code)).toBe(expected);
});
