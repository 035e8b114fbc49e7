import type { FileSource } from "../ports";
import type { Opened } from "./inflated";
import { own } from "./json";
import { ascii, StoreFiles, type StorePiece, type StorePorts, sourceOf } from "./storeFiles";

/** An event: `<n>.json` in older versions, `event-<n>-<id>.json` in newer ones (transcripts.md 15). */
const EVENT_NAME = /^(?:event-)?(\d+)(?:-[\w-]+)?\.json$/;
const EVENT_FILE = /^(.*[\\/])?([^\\/]+)([\\/])events[\\/]([^\\/]+)$/;
const STATE_FILE = /^(.*[\\/])?([^\\/]+)([\\/])base_state\.json$/;

/** True for the name of a file that holds one event of a conversation, when it lies in a folder `events`. */
export function isOpenhandsEvent(name: string): boolean {
  return EVENT_NAME.test(name);
}

const numberOf = (name: string): number => Number(EVENT_NAME.exec(name)?.[1] ?? 0);

/** The folder of a conversation and its name, out of the path of an event or of the state; undefined for any other path. */
export function openhandsPlace(
  path: string,
): { readonly folder: string; readonly conversation: string; readonly separator: string } | undefined {
  const event = EVENT_FILE.exec(path);
  const found = event !== null && isOpenhandsEvent(event[4] ?? "") ? event : STATE_FILE.exec(path);
  if (found === null) return undefined;
  const [, above = "", conversation = "", separator = "/"] = found;
  return { folder: `${above}${conversation}`, conversation, separator };
}

/**
 * A conversation of OpenHands as one document, in memory: each event is a file in the folder `events`, and newer versions
 * keep the conversation's state beside that folder. Opening any of them opens all. Undefined for other files, and for a
 * folder whose files are no events. The state comes last, because its usage belongs to calls that the events tell.
 */
export async function composeOpenhandsConversation(file: FileSource, ports: StorePorts): Promise<Opened | undefined> {
  const place = openhandsPlace(file.path);
  if (place === undefined) return undefined;
  const { folder, conversation, separator } = place;
  const store = new StoreFiles(ports, folder, "The rest is in the files of its folder.");
  const byNumber = (a: string, b: string): number => numberOf(a) - numberOf(b) || (a < b ? -1 : 1);
  const events = await store.readAll(`${folder}${separator}events`, separator, isOpenhandsEvent, byNumber);
  if (!events.some(isEvent)) return undefined;
  const chunks: Uint8Array[] = [ascii('{"events":[')];
  for (const [i, { bytes }] of events.entries()) chunks.push(ascii(i === 0 ? "\n" : ",\n"), bytes);
  chunks.push(ascii("]"), ...(await stateOf(`${folder}${separator}base_state.json`, store, ports)), ascii("}\n"));
  const source = sourceOf(file.path, chunks);
  return { source, problems: store.problems(), spread: true, format: "openhands", name: conversation };
}

function isEvent({ value }: StorePiece): boolean {
  if (typeof own(value, "kind") === "string") return true;
  return own(value, "id") !== undefined && (own(value, "action") ?? own(value, "observation")) !== undefined;
}

const COMMA = ascii(",\n");

/** The members of the state, to stand behind others; nothing where there is no state. */
async function stateOf(path: string, store: StoreFiles, { files }: StorePorts): Promise<readonly Uint8Array[]> {
  if ((await files.stat(path)).kind !== "file") return [];
  const state = await store.read(path, "base_state");
  if (state === undefined || Object.keys(state.value).length === 0) return [];
  const { bytes } = state;
  return [COMMA, bytes.subarray(bytes.indexOf(0x7b) + 1, bytes.lastIndexOf(0x7d))];
}
