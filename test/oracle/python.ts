import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import type { LoaderId } from "../../extension/src/core/model/loader";
import { repoPath } from "../corpus";

const PYTHON = "/usr/bin/python3";

export interface Answer {
  readonly error?: string;
  readonly value?: string;
}

export interface Hello {
  /** Version, null when it or its C parser is not installed. */
  readonly pyyaml: string | null;
  readonly ruamel: string | null;
  readonly clib: boolean;
}

/** Debian's Python, asked over one pipe: every question is one line, answered in order. */
export class PythonOracle {
  private readonly waiting: ((line: string) => void)[] = [];
  private readonly lines: string[] = [];

  private constructor(private readonly child: ChildProcess) {
    if (child.stdout === null) throw new Error("no pipe");
    createInterface({ input: child.stdout }).on("line", (line) => {
      const next = this.waiting.shift();
      if (next === undefined) this.lines.push(line);
      else next(line);
    });
  }

  /** Undefined where Debian's Python is absent. */
  static async start(script = "askPython.py"): Promise<{ oracle: PythonOracle; hello: Hello } | undefined> {
    if (!existsSync(PYTHON)) return undefined;
    // -B: the scripts import each other, and no compiled copies are to be left in the repository.
    const child = spawn(PYTHON, ["-B", repoPath("test/oracle", script)], { stdio: ["pipe", "pipe", "inherit"] });
    const oracle = new PythonOracle(child);
    return { oracle, hello: JSON.parse(await oracle.line()) as Hello };
  }

  private line(): Promise<string> {
    const ready = this.lines.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  ask(loader: LoaderId, texts: readonly string[]): Promise<readonly Answer[]> {
    return this.askAll<Answer>(texts.map((text) => ({ loader, text })));
  }

  /** Asks questions in the script's own form. */
  async askAll<A>(questions: readonly object[]): Promise<readonly A[]> {
    const answers: A[] = [];
    // A pipe holds some 64 KB; asking in batches keeps both sides moving.
    for (let from = 0; from < questions.length; from += 100) {
      const batch = questions.slice(from, from + 100);
      const lines = batch.map(() => this.line());
      this.child.stdin?.write(batch.map((question) => `${JSON.stringify(question)}\n`).join(""));
      for (const line of lines) answers.push(JSON.parse(await line) as A);
    }
    return answers;
  }

  stop(): void {
    this.child.stdin?.end();
  }
}
