import type { ToolSource } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { Bundle } from "#core/builds";
import type { BuildingContext } from "../context.ts";
import { chargePoints } from "#core/limits";

/**
 * Bundles a tool's code with its packages; the signal cancels the build. Throws `invalid_tool` with file, line and
 * column of each error, `rate_limited` and `unavailable`.
 */
export async function buildTool(
  context: BuildingContext,
  { workspaceId, userId }: Pick<Caller, "workspaceId" | "userId">,
  source: ToolSource,
  signal?: AbortSignal,
): Promise<Bundle> {
  await chargePoints(context, "builds", workspaceId);
  return context.builder.bundle({ workspaceId, userId, signal }, source);
}
