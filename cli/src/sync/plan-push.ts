import type { Entry, Survey } from "./survey.ts";

export type PushFlags = { dryRun?: boolean; force?: boolean; delete?: boolean; new?: boolean };

/** What a push does with one tool. `block` pushes the others, and `refuse` none. */
export type PushStep = {
  kind: "create" | "update" | "archive" | "relink" | "skip" | "block" | "refuse";
  entry: Entry;
  note?: string;
};

/** Decides what to do with each tool. Tools that need nothing are left out. */
export function planPush({ entries }: Pick<Survey, "entries">, flags: PushFlags): PushStep[] {
  return entries.flatMap((entry) => {
    const step = planEntry(entry, flags);
    return step === undefined ? [] : [{ entry, ...step }];
  });
}

function planEntry(
  { state, remote, note, isCommitted }: Entry,
  { force, delete: isDeleting, new: isNew }: PushFlags,
): Omit<PushStep, "entry"> | undefined {
  switch (state) {
    case "new":
      return { kind: "create", ...(note === undefined ? {} : { note }) };
    case "changed":
      return { kind: "update" };
    case "same change":
    case "gone":
      return { kind: "relink" };
    case "deleted":
      if (isDeleting !== true) {
        const advice = "deleted here; push with --delete to archive it on the server";
        return { kind: "skip", note: advice };
      }
      // The folder is missing in a sparse checkout as well.
      return isCommitted
        ? { kind: "skip", note: "deleted here, but not in Git; commit the deletion, then push" }
        : { kind: "archive" };
    case "changed on the server": {
      const advice = note ?? "pull it";
      return { kind: "skip", note: `the server has version ${remote?.version}; ${advice}` };
    }
    case "archived on the server":
      return force === true
        ? { kind: "create", note: "it was archived on the server" }
        : {
            kind: "skip",
            note: "archived on the server; delete the folder, or push with --force to create it again",
          };
    case "same content, not linked":
      return isNew === true
        ? { kind: "create" }
        : { kind: "skip", note: `${remote?.name} has the same content, but ${note}, or link it` };
    case "conflict: several tools":
      return { kind: "block" };
    case "conflict: not linked":
      return isNew === true ? { kind: "create" } : { kind: "refuse" };
    case "conflict: changed on both sides":
    case "conflict: rolled back on the server":
      return force === true ? { kind: "update" } : { kind: "refuse" };
    case "conflict: changed here, archived on the server":
      return force === true ? { kind: "create" } : { kind: "refuse" };
    case "conflict: deleted here, changed on the server":
      if (isDeleting !== true) {
        return { kind: "skip", note: "deleted here and changed on the server" };
      }
      return force === true && !isCommitted ? { kind: "archive" } : { kind: "refuse" };
    default:
      return undefined;
  }
}
