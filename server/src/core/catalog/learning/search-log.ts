import type { Caller } from "#core/kernel";
import type { Database } from "#db";
import { systemClock } from "#lib/clock";
import type { Clock } from "#lib/clock";
import { newId } from "#lib/ids";
import { toSearchWords } from "./search-words.ts";
import { insertSearches } from "./search-store.ts";
import type { NewSearch } from "./search-store.ts";

type Noted = { at: number; row: NewSearch };

/** Searches of this process that are not written yet. Losing them loses nothing that anyone relies on. */
export type SearchLog = {
  /** Notes the query of a search and the tools that it found. Returns immediately. */
  note(caller: Caller, query: string, found: readonly string[]): void;
  /** Writes what was noted some time ago, or everything if `isLast`. */
  flush(db: Database, isLast?: boolean): Promise<void>;
};

const maxNoted = 1_000;
const maxNotedOfUser = 30;
const maxFound = 10;
/** Someone who types or corrects a query for so long is still searching for the same. */
const typingMs = 30_000;

export function createSearchLog(clock: Clock = systemClock): SearchLog {
  let noted: Noted[] = [];
  return {
    note({ workspaceId, userId, via }, query, found) {
      // Queries of the chat bot are taken from messages, whose authors did not search.
      if (via === "bot") return;
      const stored = toSearchWords(query);
      if (stored === undefined) return;
      const at = clock.now();
      const isOwn = ({ row }: Noted) => row.workspace_id === workspaceId && row.user_id === userId;
      const isReplaced = (one: Noted) =>
        isOwn(one) && at - one.at < typingMs && isSameTyping(one.row.words, stored.words);
      noted = noted.filter((one) => !isReplaced(one));
      if (noted.length >= maxNoted || noted.filter(isOwn).length >= maxNotedOfUser) return;
      const row = {
        id: newId(),
        workspace_id: workspaceId,
        user_id: userId,
        ...stored,
        found: JSON.stringify(found.slice(0, maxFound)),
      };
      noted.push({ at, row });
    },
    async flush(db, isLast = false) {
      const before = clock.now() - typingMs;
      const ready = noted.filter(({ at }) => isLast || at <= before);
      if (ready.length === 0) return;
      noted = noted.filter((one) => !ready.includes(one));
      await insertSearches(
        db,
        ready.map(({ row }) => row),
      );
    },
  };
}

/** Whether one is the start of the other, as when the results are shown while someone types. */
function isSameTyping(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}
