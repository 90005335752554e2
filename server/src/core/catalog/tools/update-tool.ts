import { isDeepStrictEqual } from "node:util";
import type {
  ApprovalNeeds,
  CreateToolInput,
  GitFolder,
  ToolDetail,
  UpdateToolInput,
} from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { approveBySaving } from "../approvals/approve.ts";
import { isOwnWork } from "../approvals/approval-store.ts";
import { needsOf, withoutExposure } from "../approvals/needs.ts";
import { auditInsert, commitWrite } from "#core/kernel";
import type { Bundle } from "#core/builds";
import type { AuthoringContext, BuildingContext } from "../context.ts";
import type { ToolVersionTable, TransactionStep } from "#db";
import { buildTool } from "./build-tool.ts";
import { changedElsewhere, changeLiveTool } from "./change-live-tool.ts";
import { checkDefinition } from "./check-definition.ts";
import type { PlannedSave } from "./create-tool.ts";
import { relinkTool } from "./import-links.ts";
import type { ImportLink, ItemState } from "./import-links.ts";
import { pruneVersions } from "./tool-caps.ts";
import { checkMayShow, checkMayWithdraw, mayWithdraw } from "./tool-rights.ts";
import { changeTool, findVersion } from "./tool-store.ts";
import { insertNextVersion } from "./version-store.ts";
import { presentToolDetail } from "./tool.ts";
import type { SourcedTool } from "./tool.ts";
import { versionRow, withVersion } from "./version-row.ts";

type UpdateOptions = {
  /** Whether the caller has read the live version, and so may change it. */
  isExpected: (version: number) => boolean;
  signal?: AbortSignal;
  /** Where in Git the changed content is. */
  from?: GitFolder | undefined;
};

/**
 * Saves the tool with the given changes as its next live version. Changes nothing if it does not build. Throws
 * `tool_not_found`, `invalid_tool`, and `precondition_failed` if the live version is not an expected one. With `from`, a
 * change that changes nothing only records that the live version is that folder's content, which throws `forbidden` unless the
 * caller may archive the tool; otherwise `from` is ignored then.
 */
export async function updateTool(
  context: BuildingContext,
  caller: Caller,
  name: string,
  patch: UpdateToolInput,
  { isExpected, signal, from: claimed }: UpdateOptions,
): Promise<ToolDetail> {
  return changeLiveTool(context, caller, name, async (current) => {
    if (!isExpected(current.version)) throw changedElsewhere(current);
    const draft: CreateToolInput = { ...toDraft(current), ...withoutUndefined(patch) };
    checkMayShow(caller, current, draft.visibility);
    if (claimed !== undefined && isDeepStrictEqual(draft, toDraft(current))) {
      return savePublishedFrom(context, caller, current, claimed);
    }
    // A commit can later delete the folder, which archives the tool, so only those who may archive it can name one.
    const from = mayWithdraw(caller, current) ? claimed : undefined;
    await checkDefinition(context, caller, draft);
    const live = await findVersion(context.db, current.id, current.version);
    const isSameSource =
      live !== undefined && JSON.stringify(draft.source) === JSON.stringify(current.source);
    const bundle = isSameSource
      ? toBundle(live)
      : await buildTool(context, caller, draft.source, signal);
    const of = { toolId: current.id, userId: caller.userId };
    const isOwn = await isOwnWork(context.db, of);
    const declared = isOwn ? undefined : inheritedBy(patch, needsOf(current.definition));
    const inherited = isSameSource ? declared : declared && withoutExposure(declared);
    const next = { draft, bundle, also: [], inherited, isOwnWork: isOwn, from };
    return saveVersion(context, caller, current, next);
  });
}

/** Returns undefined if another version is live. Throws `forbidden`. */
async function savePublishedFrom(
  context: AuthoringContext,
  caller: Caller,
  current: SourcedTool,
  from: GitFolder,
): Promise<ToolDetail | undefined> {
  checkMayWithdraw(caller, current);
  const { id, name, version, updatedAt } = current;
  const publishedFrom = { ...from, version };
  const changed = presentToolDetail(caller, { ...current, publishedFrom }, context.config.baseUrl);
  const isChanged = await commitWrite(context, caller, changed, [
    ...changeTool(context.db, {
      toolId: id,
      workspaceId: caller.workspaceId,
      from: version,
      set: { published_from: JSON.stringify(publishedFrom), updated_at: updatedAt },
    }),
    auditInsert(context, caller, {
      action: "tool.update",
      target: name,
      details: { version, commit: from.commit },
    }),
  ]);
  return isChanged ? changed : undefined;
}

/** Needs that a patch leaves unchanged instead of stating them. */
function inheritedBy({ credentials, allowedHosts }: UpdateToolInput, current: ApprovalNeeds) {
  return {
    credentials: credentials === undefined ? current.credentials : [],
    allowedHosts: allowedHosts === undefined ? current.allowedHosts : [],
  };
}

type NextVersion = {
  draft: CreateToolInput;
  bundle: Bundle;
  /** Needs that the caller did not write, which saving does not approve. */
  inherited: ApprovalNeeds | undefined;
  /** No part was written by other users, or by a key without `credentials:write`. */
  isOwnWork: boolean;
  /** The item of an import that it was made from, and its latest state. */
  imported?: { link: ImportLink; state: ItemState } | undefined;
  /** Where in Git its content is. */
  from?: GitFolder | undefined;
};

/**
 * Saves a checked and built definition as the next live version. Changes nothing and returns undefined if another version
 * is live or a step of `also` changes nothing.
 */
async function saveVersion(
  context: AuthoringContext,
  caller: Caller,
  current: SourcedTool,
  { also, ...next }: NextVersion & { also: readonly TransactionStep[] },
): Promise<ToolDetail | undefined> {
  const { saved, steps } = await planVersion(context, caller, current, next);
  return (await commitWrite(context, caller, saved, [...steps, ...also])) ? saved : undefined;
}

/** Plans the save of a checked and built definition as the next live version. */
export async function planVersion(
  context: AuthoringContext,
  caller: Caller,
  current: SourcedTool,
  { draft, bundle, inherited, isOwnWork: isOwn, imported, from }: NextVersion,
): Promise<PlannedSave> {
  const { id, name } = current;
  const version = current.version + 1;
  const now = context.clock.now();
  const approvals = await approveBySaving(context, caller, {
    id,
    name,
    version,
    definition: draft,
    codeHash: bundle.hash,
    inherited,
  });
  const itemHash = imported?.link.hash ?? null;
  const place = { toolId: id, version, now, isOwnWork: isOwn, itemHash };
  const row = versionRow(caller, place, draft, bundle);
  const publishedFrom = from && { ...from, version };
  const next = {
    ...current,
    visibility: draft.visibility,
    publishedFrom: publishedFrom ?? current.publishedFrom,
  };
  const saved = withVersion(context, caller, next, row);
  const steps = [
    ...changeTool(context.db, {
      toolId: id,
      workspaceId: caller.workspaceId,
      from: current.version,
      set: {
        live_version: version,
        visibility: draft.visibility,
        updated_at: now,
        ...(publishedFrom === undefined ? {} : { published_from: JSON.stringify(publishedFrom) }),
      },
    }),
    insertNextVersion(context.db, row),
    auditInsert(context, caller, {
      action: "tool.update",
      target: name,
      details: { version, ...(from === undefined ? {} : { commit: from.commit }) },
    }),
    ...approvals,
    ...pruneVersions(context, { toolId: id, newest: version }),
    ...(imported === undefined
      ? []
      : relinkTool(context.db, current, imported.link, imported.state)),
  ];
  return { saved, steps };
}

function toDraft(record: SourcedTool): CreateToolInput {
  const { title, description, visibility, definition, source } = record;
  return { title, description, visibility, source, ...definition };
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
