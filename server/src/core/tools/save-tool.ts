import type { ToolDetail, ToolDraft, ToolPatch } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { auditInsert } from "#core/audit";
import type { AuthoringContext } from "#core/context";
import { ServiceError } from "#core/errors";
import type { ToolVersionTable } from "#db";
import { newId } from "#lib/ids";
import { buildTool } from "./build-tool.ts";
import type { Bundle } from "./build-tool.ts";
import { checkDefinition } from "./check-definition.ts";
import { getTool } from "./get-tool.ts";
import { makeToolName } from "./tool-name.ts";
import {
  changeTool,
  countChange,
  findTool,
  findVersion,
  insertTool,
  insertVersion,
} from "./tool-store.ts";
import { presentToolDetail, toRecord } from "./tool.ts";
import type { ToolDefinition, ToolRecord } from "./tool.ts";

/**
 * Saves a new tool as version 1, live at once. Throws `invalid_tool`, with every problem found, when its
 * schema or its code is not sound. `modulesDir` lets tools that ship with the service use its packages.
 */
export async function createTool(
  context: AuthoringContext,
  caller: Caller,
  draft: ToolDraft,
  modulesDir?: string,
): Promise<ToolDetail> {
  checkDefinition(draft);
  const bundle = await buildTool(context, draft.source, modulesDir);
  const now = context.clock.now();
  const id = newId();
  const name = makeToolName(draft.title);
  const { workspaceId, userId } = caller;
  await context.db.transact([
    countChange(context.db, workspaceId),
    insertTool(context.db, {
      id,
      workspace_id: workspaceId,
      owner_user_id: userId,
      name,
      visibility: draft.visibility,
      live_version: 1,
      created_at: now,
      updated_at: now,
      archived_at: null,
    }),
    insertVersion(context.db, versionRow(caller, { toolId: id, version: 1, now }, draft, bundle)),
    auditInsert(context, caller, { action: "tool.create", target: name, details: { version: 1 } }),
  ]);
  return getTool(context, caller, name);
}

/**
 * Saves the tool with the given fields changed as its next version, live at once. When that does not
 * build, nothing changes. Throws `tool_not_found`, `invalid_tool`.
 */
export async function updateTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  patch: ToolPatch,
): Promise<ToolDetail> {
  return withCurrentTool(context, caller, name, async (current) => {
    const draft: ToolDraft = { ...toDraft(current), ...withoutUndefined(patch) };
    checkDefinition(draft);
    const live = await findVersion(context.db, current.id, current.version);
    const isSameSource =
      live !== undefined &&
      JSON.stringify(draft.source) === JSON.stringify(current.definition.source);
    const bundle = isSameSource ? toBundle(live) : await buildTool(context, draft.source);
    const version = current.version + 1;
    const now = context.clock.now();
    const place = { toolId: current.id, version, now };
    return context.db.transact([
      countChange(context.db, caller.workspaceId),
      {
        query: changeTool(context.db, {
          toolId: current.id,
          workspaceId: caller.workspaceId,
          from: current.version,
          set: { live_version: version, visibility: draft.visibility, updated_at: now },
        }),
        mustChange: true,
      },
      insertVersion(context.db, versionRow(caller, place, draft, bundle)),
      auditInsert(context, caller, { action: "tool.update", target: name, details: { version } }),
    ]);
  });
}

/** Makes an earlier version live again, as a new version with its content. */
export async function restoreTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  from: number,
): Promise<ToolDetail> {
  return withCurrentTool(context, caller, name, async (current) => {
    const restored = await findVersion(context.db, current.id, from);
    if (restored === undefined) {
      throw new ServiceError("not_found", `The tool ${name} has no version ${from}.`);
    }
    const version = current.version + 1;
    const now = context.clock.now();
    return context.db.transact([
      countChange(context.db, caller.workspaceId),
      {
        query: changeTool(context.db, {
          toolId: current.id,
          workspaceId: caller.workspaceId,
          from: current.version,
          set: { live_version: version, updated_at: now },
        }),
        mustChange: true,
      },
      insertVersion(context.db, {
        ...restored,
        id: newId(),
        version,
        created_by: caller.userId,
        created_at: now,
        restored_from: from,
      }),
      auditInsert(context, caller, {
        action: "tool.restore",
        target: name,
        details: { version, restoredFrom: from },
      }),
    ]);
  });
}

/** Takes a tool out of use. Its versions and the records of its runs stay; its name is never used again. */
export async function archiveTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<void> {
  const now = context.clock.now();
  const row = await findTool(context.db, caller, name);
  if (row === undefined) throw toolNotFound(name);
  const isArchived = await context.db.transact([
    countChange(context.db, caller.workspaceId),
    {
      query: changeTool(context.db, {
        toolId: row.id,
        workspaceId: caller.workspaceId,
        from: row.version,
        set: { archived_at: now, updated_at: now },
      }),
      mustChange: true,
    },
    auditInsert(context, caller, { action: "tool.archive", target: name }),
  ]);
  // Somebody saved a version in between: what they see next is the tool, so try on that one.
  if (!isArchived) await archiveTool(context, caller, name);
}

const attempts = 5;

/** Runs a change from the live version, again from the newer one when somebody else was faster. */
async function withCurrentTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  change: (current: ToolRecord) => Promise<boolean>,
): Promise<ToolDetail> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const row = await findTool(context.db, caller, name);
    if (row === undefined) throw toolNotFound(name);
    if (await change(toRecord(row))) {
      const saved = await findTool(context.db, caller, name);
      if (saved === undefined) throw toolNotFound(name);
      return presentToolDetail(toRecord(saved), context.config.baseUrl);
    }
  }
  throw new ServiceError("unavailable", `The tool ${name} is being changed by others. Try again.`, {
    retryAfterSeconds: 1,
  });
}

function toolNotFound(name: string): ServiceError {
  return new ServiceError("tool_not_found", `There is no tool ${name} that you may use.`);
}

function toDraft(record: ToolRecord): ToolDraft {
  const { title, description, visibility, definition } = record;
  return { title, description, visibility, ...definition };
}

function withoutUndefined<T extends object>(
  value: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function toBundle(row: ToolVersionTable): Bundle {
  return { code: row.bundle, hash: row.bundle_hash, sourceMap: row.source_map };
}

function versionRow(
  caller: Caller,
  place: { toolId: string; version: number; now: number },
  draft: ToolDraft,
  bundle: Bundle,
): ToolVersionTable {
  const { title, description, visibility: _, ...definition } = draft;
  return {
    id: newId(),
    tool_id: place.toolId,
    workspace_id: caller.workspaceId,
    version: place.version,
    title,
    description,
    definition: JSON.stringify(definition satisfies ToolDefinition),
    bundle: bundle.code,
    bundle_hash: bundle.hash,
    source_map: bundle.sourceMap,
    created_by: caller.userId,
    created_at: place.now,
    restored_from: null,
  };
}
