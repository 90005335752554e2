import type { Preferences, UpdatePreferencesInput } from "@toolhost/contract";
import { commitWrite, lostKey } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { ToolListsContext } from "./context.ts";
import { findPreferences, savePreferences } from "./tool-list-store.ts";

const defaults: Preferences = { favorites: [], views: [], isChecklistDismissed: false };

/** What the caller has set for themselves in the workspace. */
export async function getPreferences(
  { db }: Pick<ToolListsContext, "db">,
  caller: Pick<Caller, "workspaceId" | "userId">,
): Promise<Preferences> {
  const stored = await findPreferences(db, caller);
  return stored === undefined ? defaults : { ...defaults, ...(JSON.parse(stored) as Preferences) };
}

/** Changes the given preferences. Not audited, because only the caller sees them. */
export async function changePreferences(
  context: ToolListsContext,
  caller: Caller,
  change: UpdatePreferencesInput,
): Promise<Preferences> {
  const changed = { ...(await getPreferences(context, caller)), ...withoutUndefined(change) };
  const query = savePreferences(context.db, caller, JSON.stringify(changed));
  if (!(await commitWrite(context, caller, changed, [query]))) throw lostKey();
  return changed;
}

function withoutUndefined(change: UpdatePreferencesInput): Partial<Preferences> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
