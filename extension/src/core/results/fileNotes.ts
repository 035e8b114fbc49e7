import type { LocateContext, Located } from "./locate";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago a file was written, and what its agent does with files of that age. */
export function ageNote(ageMs: number, keptMs: number | undefined): string {
  const written = `Written ${duration(ageMs)} ago.`;
  if (keptMs === undefined) return written;
  return ageMs > keptMs
    ? `${written} It is past the ${duration(keptMs)} that Hermes keeps such files, so the next cleanup deletes it.`
    : `${written} Hermes deletes such files after ${duration(keptMs)}.`;
}

/** Why a path is not looked at. */
export function outsideNotes(path: string, throughLink: boolean): readonly string[] {
  return throughLink
    ? [
        `The path leads through a link to ${path}, outside the agent's spill folders. It is not read unless you open it.`,
      ]
    : [`${path} lies outside the agent's spill folders. It has not been looked at and is not read unless you open it.`];
}

/** Hard links: which of its names a file was made under, nothing tells. */
export function severalNames(path: string): string {
  return `${path} is also known under another name (a hard link), which may lie outside the agent's spill folders. It is not read unless you open it.`;
}

/** A path as sentences show it; one that no system takes is cut. UTF-16 units. */
const SHOWN_UNITS = 1_000;
function shown(path: string): string {
  if (path.length <= SHOWN_UNITS) return path;
  return `${path.slice(0, SHOWN_UNITS).replace(/[\ud800-\udbff]$/, "")}… (${path.length} characters)`;
}

export interface Missing {
  readonly status: "expired" | "missing" | "other-machine" | "sandbox" | "outside";
  readonly notes: readonly string[];
  readonly canRebase: boolean;
}

/** Why no file was found, and what to do. */
export function explainMissing(written: string, located: Located, where: LocateContext): Missing {
  const { shape, candidates, otherSystem } = located;
  const looked = candidates.length > 0;
  switch (shape.kind) {
    case "home": {
      if (looked) return goneFromHome(shape.keptMs, where.rebaseRoot !== undefined);
      const system = otherSystem ? "another kind of system" : "another home than those on this machine";
      return {
        status: "other-machine",
        notes: [
          `The path belongs to ${system} (${shape.home}). It has not been looked at. If that home was moved or copied here, choose the folder that stands for it.`,
        ],
        canRebase: true,
      };
    }
    case "sandbox":
      return {
        status: "sandbox",
        notes: [
          "The file was written to a temporary folder of the agent's sandbox. Such files go away with the sandbox or a restart, and cannot be reached from another machine.",
        ],
        canRebase: true,
      };
    case "session":
      return {
        status: otherSystem && !looked ? "other-machine" : "missing",
        notes: [
          "Neither the path nor the session's tool-results folder holds the file. It was removed, or the transcript was copied without that folder.",
        ],
        canRebase: true,
      };
    case "foreign": {
      const also = looked ? ["The session's tool-results folder does not hold the file either."] : [];
      return otherSystem
        ? {
            status: "other-machine",
            notes: [`${shown(written)} is a path of another kind of system. It has not been looked at.`, ...also],
            canRebase: true,
          }
        : { status: "outside", notes: [...outsideNotes(shown(written), false), ...also], canRebase: true };
    }
    case "not-absolute":
      return {
        status: "outside",
        notes: [`"${shown(written)}" is not the full path of a file, so it is not looked for.`],
        canRebase: false,
      };
  }
}

function goneFromHome(keptMs: number | undefined, rebased: boolean): Missing {
  if (keptMs === undefined) {
    return {
      status: "missing",
      notes: ["The file is no longer in the home's spill folder. It was removed, or the home was copied without it."],
      canRebase: true,
    };
  }
  const advice = rebased ? "" : " If the home was moved or copied, choose the folder that stands for it.";
  return {
    status: "expired",
    notes: [`The file is gone, which is normal: Hermes deletes such files after ${duration(keptMs)}.${advice}`],
    canRebase: true,
  };
}

function duration(ms: number): string {
  if (ms < MINUTE) return "less than a minute";
  if (ms < 2 * HOUR) return plural(Math.round(ms / MINUTE), "minute");
  if (ms < 2 * DAY) return plural(Math.round(ms / HOUR), "hour");
  return plural(Math.round(ms / DAY), "day");
}

function plural(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}
