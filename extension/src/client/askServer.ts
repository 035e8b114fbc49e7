/** A request to the server, as the client library sends it. */
export type Send = (method: string, params: object) => Promise<unknown>;

/** Asks the server; null where it has nothing to say. Rejects when it answers in a shape that `isAnswer` does not know. */
export async function askServer<Answer>(
  send: Send,
  method: string,
  params: object,
  isAnswer: (answer: unknown) => answer is Answer,
): Promise<Answer | null> {
  const answer = await send(method, params);
  if (answer === null || isAnswer(answer)) return answer;
  throw new Error(`The config checker answered ${method} in another shape.`);
}
