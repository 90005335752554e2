import type { ToolDetail } from "@toolhost/contract";
import type { Database } from "#db";
import { uncheckedHash } from "./mark-links.ts";
import { findPinned } from "./tool-store.ts";

type HoldReason = NonNullable<ToolDetail["hold"]>;

/** Why versions with another hash than the pinned one may not run. */
export function holdReason(pinned: string): HoldReason {
  if (pinned === "") return "removed";
  return pinned === uncheckedHash ? "unchecked" : "changed";
}

/** Why runs of a version of a tool are refused; undefined if they are not. */
export async function findHold(
  { db }: { db: Database },
  { id, version }: { id: string; version: number },
): Promise<HoldReason | undefined> {
  const row = await findPinned(db, { id, version });
  if (row === undefined || row.pinned_hash === null) return undefined;
  return row.pinned_hash === row.item_hash ? undefined : holdReason(row.pinned_hash);
}
