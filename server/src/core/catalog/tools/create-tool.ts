import type { ApprovalNeeds, CreateToolInput, GitFolder, ToolDetail } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { approveBySaving } from "../approvals/approve.ts";
import { auditInsert, commitWrite, lostKey } from "#core/kernel";
import type { Bundle } from "#core/builds";
import type { AuthoringContext, BuildingContext } from "../context.ts";
import { newId } from "#lib/ids";
import type { TransactionStep } from "#db";
import { buildTool } from "./build-tool.ts";
import { checkDefinition } from "./check-definition.ts";
import { linkNewTool, pinnedHash } from "./import-links.ts";
import type { ImportLink, ItemState } from "./import-links.ts";
import { unusedToolName } from "./tool-name.ts";
import { countChange, insertTool } from "./tool-store.ts";
import { insertVersion } from "./version-store.ts";
import { capToolBytes, capTools } from "./tool-caps.ts";
import { presentToolDetail, toSourcedTool } from "./tool.ts";
import { contentOf, versionRow } from "./version-row.ts";

/**
 * Creates a tool with a live version 1. Throws `invalid_tool` with every problem of its schema or code,
 * `quota_exceeded`, and the errors of builds.
 */
export async function createTool(
  context: BuildingContext,
  caller: Caller,
  draft: CreateToolInput,
  { signal, from }: { signal?: AbortSignal; from?: GitFolder | undefined } = {},
): Promise<ToolDetail> {
  await checkDefinition(context, caller, draft);
  const bundle = await buildTool(context, caller, draft.source, signal);
  return saveNewTool(context, caller, { draft, bundle, from });
}

/** Creates a tool that ships with the service and was built with it. */
export async function createShippedTool(
  context: AuthoringContext,
  caller: Caller,
  draft: CreateToolInput,
  bundle: Bundle,
): Promise<ToolDetail> {
  await checkDefinition(context, caller, draft);
  return saveNewTool(context, caller, { draft, bundle });
}

async function saveNewTool(
  context: AuthoringContext,
  caller: Caller,
  content: Pick<NewTool, "draft" | "bundle" | "from">,
): Promise<ToolDetail> {
  const created = await insertNewTool(context, caller, {
    ...content,
    also: [],
    inherited: undefined,
    isOwnWork: true,
  });
  if (created === undefined) throw lostKey();
  return created;
}

type NewTool = {
  draft: CreateToolInput;
  bundle: Bundle;
  /** Needs that the caller did not write, which saving does not approve. */
  inherited: ApprovalNeeds | undefined;
  /** No part was written by other users, or by a key without `credentials:write`. */
  isOwnWork: boolean;
  /** The item of an import that it was made from, and its latest state. */
  imported?: { link: ImportLink; state: ItemState } | undefined;
  /** The draft that it is published from. */
  draftId?: string | undefined;
  /** Where in Git its content is. */
  from?: GitFolder | undefined;
};

/** A checked and built version, and the steps of a transaction that save it. */
export type PlannedSave = { saved: ToolDetail; steps: TransactionStep[] };

/** Inserts a tool that was checked and built. Inserts nothing and returns undefined if a step of `also` changes nothing. */
async function insertNewTool(
  context: AuthoringContext,
  caller: Caller,
  { also, ...tool }: NewTool & { also: readonly TransactionStep[] },
): Promise<ToolDetail | undefined> {
  const { saved, steps } = await planNewTool(context, caller, tool);
  return (await commitWrite(context, caller, saved, [...steps, ...also])) ? saved : undefined;
}

/** Plans the insertion of a tool that was checked and built. */
export async function planNewTool(
  context: AuthoringContext,
  caller: Caller,
  { draft, bundle, inherited, isOwnWork, imported, draftId, from }: NewTool,
): Promise<PlannedSave> {
  const now = context.clock.now();
  const id = newId();
  const name = await unusedToolName(context.db, draft.title);
  const { workspaceId, userId } = caller;
  const { baseUrl } = context.config;
  const row = {
    id,
    workspace_id: workspaceId,
    owner_user_id: userId,
    name,
    visibility: draft.visibility,
    live_version: 1,
    created_at: now,
    updated_at: now,
    archived_at: null,
    pinned_hash: imported === undefined ? null : pinnedHash(imported.state),
    draft_id: draftId ?? null,
    published_from: from === undefined ? null : JSON.stringify({ ...from, version: 1 }),
  };
  const approvals = await approveBySaving(context, caller, {
    id,
    name,
    version: 1,
    definition: draft,
    codeHash: bundle.hash,
    inherited,
  });
  const itemHash = imported?.link.hash ?? null;
  const place = { toolId: id, version: 1, now, isOwnWork, itemHash };
  const version = versionRow(caller, place, draft, bundle);
  const saved = presentToolDetail(
    caller,
    toSourcedTool({ ...row, ...contentOf(version) }),
    baseUrl,
  );
  const steps = [
    ...capTools(context, workspaceId),
    countChange(context.db, workspaceId),
    insertTool(context.db, row),
    insertVersion(context.db, version),
    ...capToolBytes(context, id),
    auditInsert(context, caller, { action: "tool.create", target: name, details: { version: 1 } }),
    ...approvals,
    ...(imported === undefined
      ? []
      : [linkNewTool(context.db, { id, workspaceId }, imported.link, imported.state)]),
  ];
  return { saved, steps };
}
