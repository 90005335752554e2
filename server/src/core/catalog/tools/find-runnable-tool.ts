import { toolNamePattern } from "@toolhost/contract";
import type { Caller, KeyedRequest } from "#core/kernel";
import type { CatalogContext } from "../context.ts";
import { findDraftBuild } from "./draft-version-store.ts";
import { takeLookup } from "./early-lookup.ts";
import { toolNotFound } from "./get-tool.ts";
import { holdReason, toolOnHold } from "./hold.ts";
import { toRunnable } from "./runnable-tool.ts";
import type { RunnableTool } from "./runnable-tool.ts";
import { findVersion } from "./tool-store.ts";
import { findUsedTool, findUsedToolAndKey } from "./used-tool-store.ts";

type RunViewer = Pick<Caller, "workspaceId" | "userId">;

/** The version of a tool that the caller's workspace uses. Throws `tool_not_found`. */
export async function findRunnableTool(
  context: CatalogContext,
  caller: RunViewer,
  name: string,
): Promise<RunnableTool> {
  const { id, version } = await findUsed(context, caller, name);
  return findRunnableVersion(context, { id, name, version });
}

/**
 * The same for a run, and whether the tool is private, so that only its author sees the run. With the `key` of the request, also
 * whether it has a record already. Throws `tool_not_found`, and
 * `definition_changed` if the tool is on hold.
 */
export async function findToolToRun(
  context: CatalogContext,
  caller: RunViewer,
  name: string,
  key?: KeyedRequest,
): Promise<{ tool: RunnableTool; isPrivate: boolean; isKeyTaken: boolean }> {
  const { used, isKeyTaken } = await findUsedWithKey(context, caller, name, key);
  if (used === undefined) throw await toolNotFound(context, caller, name);
  const { id, version, visibility, pinned_hash: pinned } = used;
  const tool = await findRunnableVersion(context, { id, name, version });
  if (pinned !== null && pinned !== tool.itemHash)
    throw toolOnHold(context, name, holdReason(pinned));
  return { tool, isPrivate: visibility === "private", isKeyTaken };
}

async function findUsedWithKey(
  { db }: CatalogContext,
  caller: RunViewer,
  name: string,
  key: KeyedRequest | undefined,
) {
  if (!toolNamePattern.test(name)) return { used: undefined, isKeyTaken: false };
  const recordId = key?.recordId;
  const early = takeLookup(key ?? caller, caller, { toolName: name, recordId });
  if (early !== undefined) return early;
  if (key !== undefined) return findUsedToolAndKey(db, caller, name, key);
  return { used: await findUsedTool(db, caller, name), isKeyTaken: false };
}

async function findUsed(context: CatalogContext, caller: RunViewer, name: string) {
  const used = toolNamePattern.test(name)
    ? await findUsedTool(context.db, caller, name)
    : undefined;
  if (used === undefined) throw await toolNotFound(context, caller, name);
  return used;
}

/** If `isDraft`, the ID is that of a draft. */
type VersionRef = { id: string; name: string; version: number; isDraft?: boolean };

/** A version that may no longer be live: an accepted run keeps its version. */
export async function findRunnableVersion(
  context: CatalogContext,
  ref: VersionRef,
): Promise<RunnableTool> {
  const key = `${ref.id}:${ref.version}`;
  const cached = context.catalog.runnableTools.get(key);
  if (cached !== undefined) return cached;
  const runnable = await loadVersion(context, ref);
  context.catalog.runnableTools.set(key, runnable);
  return runnable;
}

async function loadVersion(context: CatalogContext, ref: VersionRef): Promise<RunnableTool> {
  const { id, name, version } = ref;
  if (ref.isDraft === true) {
    const row = await findDraftBuild(context.db, id, version);
    if (row === undefined) throw new Error(`Version ${version} of a draft is missing`);
    return { ...toRunnable({ id, name, version }, row), draft: { toolId: row.tool_id } };
  }
  const row = await findVersion(context.db, id, version);
  if (row === undefined) throw new Error(`Version ${version} of a tool is missing`);
  return toRunnable({ id, name, version }, row);
}
