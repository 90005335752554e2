import type { UnmetSearch } from "@toolhost/contract";
import type { BaseContext, Caller } from "#core/kernel";
import { findUnmet } from "./search-store.ts";

/** With fewer people, each could tell who else searched, so admins do not see more either. */
const minPeople = 3;
const maxListed = 50;

/** What at least three people of the workspace searched for without running a tool afterwards, most people first. */
export async function getUnmetSearches(
  { db }: Pick<BaseContext, "db">,
  { workspaceId }: Caller,
): Promise<UnmetSearch[]> {
  const rows = await findUnmet(db, workspaceId, { minPeople, limit: maxListed });
  return rows.map(({ words, people, is_found: isFound }) => ({
    words,
    people,
    hasMatches: isFound === 1,
  }));
}
