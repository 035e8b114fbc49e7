/** What may be said of an error where it stays: in a log, on an error stream, in a message between threads. */
export interface ToldError {
  readonly message: string;
  /** The message and the places in our code, a line each. */
  readonly stack: string;
}

/** Messages of the engine that quote nothing. */
const PLAIN = new Set(["Maximum call stack size exceeded", "Invalid array length", "Invalid string length"]);
const LEFT_OUT = "its words are left out, because they may quote a file";

/**
 * An error without the contents of files. Errors of the engine quote what they were given (`"Dear Ada"... is not valid JSON`,
 * `Cannot create property 'x' on string '…'`), so of those only the kind and the places are told. Our own errors and those of the
 * system say what they are about and hold nothing out of a file but paths.
 */
export function tellError(error: unknown): ToldError {
  if (!(error instanceof Error)) {
    const message = typeof error === "string" ? error : `something that is no error was thrown (${typeof error})`;
    return { message, stack: message };
  }
  const isEngines = error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
  const quotes =
    (isEngines || error instanceof ReferenceError || error instanceof URIError) && !PLAIN.has(error.message);
  const message = quotes ? `${error.name} (${LEFT_OUT})` : error.message;
  const places = (error.stack ?? "").split("\n").filter((line) => /^ {4}at /.test(line));
  return { message, stack: [message, ...places].join("\n") };
}
