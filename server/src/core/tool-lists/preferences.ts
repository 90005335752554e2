import type { Preferences, UpdatePreferencesInput } from "@toolhost/contract";
import { commitWrite, lostKey, retryWrite } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { ToolListsContext } from "./context.ts";
import { findPreferences, savePreferences } from "./tool-list-store.ts";

const defaults: Preferences = { favorites: [], views: [], isChecklistDismissed: false };

/** What the caller has set for themselves in the workspace. */
export async function getPreferences(
  { db }: Pick<ToolListsContext, "db">,
  caller: Pick<Caller, "workspaceId" | "userId">,
): Promise<Preferences> {
  return withDefaults(await findPreferences(db, caller));
}

/**
 * Changes the given preferences, and leaves those that other requests change at the same time. Not audited, because only the
 * caller sees them.
 */
export async function changePreferences(
  context: ToolListsContext,
  caller: Caller,
  change: UpdatePreferencesInput,
): Promise<Preferences> {
  const { db } = context;
  const changed = await retryWrite(async () => {
    const before = await findPreferences(db, caller);
    const result = { ...withDefaults(before), ...withoutUndefined(change) };
    const step = savePreferences(db, caller, { before, after: JSON.stringify(result) });
    return (await commitWrite(context, caller, result, [step])) ? result : undefined;
  });
  if (changed === undefined) throw lostKey();
  return changed;
}

function withDefaults(stored: string | undefined): Preferences {
  return stored === undefined ? defaults : { ...defaults, ...(JSON.parse(stored) as Preferences) };
}

function withoutUndefined(change: UpdatePreferencesInput): Partial<Preferences> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
