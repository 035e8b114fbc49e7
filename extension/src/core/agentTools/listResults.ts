import { notesOf, pageAnswer, shownTexts } from "./answers";
import { allowed, type CallContext } from "./callContext";
import type { AgentInputs } from "./inputs";
import type { Answered, ListedResult, ListedThread, ResultsAsked, ResultsPage } from "./ports";

const numbersOf = (unit: string) =>
  ({
    contextChars: `exact, in ${unit === "utf16" ? "UTF-16 units" : "code points"}`,
    contextTokens: "estimated: characters / 4, rounded up",
    fullChars: "counted where the text is whole, else as the notice states; null = unknown",
  }) as const;

/** One page of a transcript's results, or of its threads, as JSON. */
export async function listResults(
  { transcript, threads: wanted, asked }: AgentInputs["contextBudget_listResults"],
  call: CallContext,
): Promise<Answered<string>> {
  const { ports, turn } = call;
  const file = await allowed(transcript, call);
  if (!file.ok) return file;
  if (wanted) return listThreads(file.value, asked, call);
  const page = await ports.listResults(file.value, asked, turn.stop);
  if (!page.ok) return page;
  const { total, all, threads, states, unit } = page.value;
  const rows = await shownTexts(page.value.results.map(rowOf), ports.finder);
  const words = await shownTexts(wordsOf(page.value), ports.finder);
  return pageAnswer("result", { rows, offset: asked.offset, total }, (place, shown) => ({
    agent: words.agent,
    ...place,
    resultsInTranscript: all,
    threadsInTranscript: threads,
    states: Object.fromEntries(states),
    numbers: numbersOf(unit),
    results: shown,
    notes: words.notes,
  }));
}

async function listThreads(
  transcript: string,
  { offset, limit }: ResultsAsked,
  { ports, turn }: CallContext,
): Promise<Answered<string>> {
  const page = await ports.listThreads(transcript, { offset, limit }, turn.stop);
  if (!page.ok) return page;
  const { total } = page.value;
  const rows = await shownTexts(page.value.threads.map(threadOf), ports.finder);
  const words = await shownTexts(wordsOf(page.value), ports.finder);
  return pageAnswer("thread", { rows, offset, total }, (place, shown) => ({
    agent: words.agent,
    ...place,
    numbers: "exact",
    threads: shown,
    notes: words.notes,
  }));
}

function threadOf({ thread, title, kind, calls, messages }: ListedThread) {
  return { thread, title, kind, modelCalls: calls, messages };
}

const wordsOf = ({ agent, notes }: Pick<ResultsPage, "agent" | "notes">) => ({ agent, notes: notesOf(notes) });

function rowOf(one: ListedResult) {
  return {
    result: one.result,
    thread: one.thread,
    turn: one.turn,
    tool: one.tool,
    state: one.state,
    isInContext: !one.left,
    contextChars: one.chars,
    contextTokens: one.tokens,
    fullChars: one.fullChars,
    fullCharsRounded: one.isRounded,
    isError: one.isError,
    line: one.line,
    path: one.path,
    handle: one.handle,
    readable: one.readable,
  };
}
