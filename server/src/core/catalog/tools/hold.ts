import type { ToolDetail } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import type { Database } from "#db";
import type { CatalogContext } from "../context.ts";
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

/** The error of a tool on hold, with the page where it is reviewed. */
export function toolOnHold(
  { config }: Pick<CatalogContext, "config">,
  name: string,
  reason: HoldReason,
): ServiceError {
  const reviewUrl = `${config.baseUrl}/imports?tool=${name}`;
  const reasons = {
    removed: `The MCP server that ${name} calls no longer offers this tool.`,
    unchecked: `The MCP server that ${name} calls could not be checked for changes for a day.`,
    changed: `The MCP server that ${name} calls changed the tool's definition after it was approved.`,
  };
  return new ServiceError(
    "definition_changed",
    `${reasons[reason]} Review the import at ${reviewUrl}`,
    { extra: { reviewUrl } },
  );
}
