import type { ApprovalNeeds, CreateToolInput } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { AuthoringContext, BuildingContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import type { TransactionStep } from "#db";
import { bundleOfDraft } from "./build-draft.ts";
import type { DraftRef } from "./build-draft.ts";
import { checkDefinition } from "./check-definition.ts";
import { planNewTool } from "./create-tool.ts";
import type { PlannedSave } from "./create-tool.ts";
import { findToolRecord } from "./get-tool.ts";
import { findItemState, findToolOfItem, lockImport, requireNoTool } from "./import-links.ts";
import type { ImportLink } from "./import-links.ts";
import { checkMayChange, checkMayShow } from "./tool-rights.ts";
import type { SourcedTool } from "./tool.ts";
import { planVersion } from "./update-tool.ts";

type Publication = {
  draft: DraftRef;
  definition: CreateToolInput;
  /** The tool to publish a version of, at the version that the caller reviewed; undefined for a new tool. */
  current?: SourcedTool | undefined;
  /** Needs that the caller did not write, which publishing does not approve. */
  inherited: ApprovalNeeds | undefined;
  /** No part was written by other users, or by a key without `credentials:write`. */
  isOwnWork: boolean;
  /** The item of an import that it was made from. */
  importLink?: ImportLink | undefined;
  /** Publishes a new tool even if that item has one. */
  allowDuplicate: boolean;
  signal?: AbortSignal | undefined;
};

/** A tool that the caller may change. Throws `tool_not_found`, `forbidden`. */
export async function findToolToChange(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<SourcedTool> {
  const record = await findToolRecord(context, caller, name);
  checkMayChange(caller, record);
  return record;
}

/** What publishing a draft writes. The lock holds for its import, of which a transaction can publish several drafts. */
export type PlannedPublication = PlannedSave & { lock: TransactionStep[] };

/**
 * Plans publishing a draft's definition as a new tool, or as the next live version of its tool. Throws `invalid_tool`,
 * `already_imported`, and `forbidden` if the caller may not change the visibility.
 */
export async function planPublication(
  context: BuildingContext,
  caller: Caller,
  { draft, definition, current, importLink, allowDuplicate, signal, ...rest }: Publication,
): Promise<PlannedPublication> {
  if (current !== undefined) checkMayShow(caller, current, definition.visibility);
  const state = importLink && (await findItemState(context.db, caller.workspaceId, importLink));
  const unique = current === undefined && !allowDuplicate ? importLink : undefined;
  if (unique !== undefined) await checkIsFirst(context, caller, unique);
  await checkDefinition(context, caller, definition);
  const bundle = await bundleOfDraft(context, draft, definition.source, signal);
  const imported =
    importLink === undefined || state === undefined ? undefined : { link: importLink, state };
  const lock =
    imported === undefined ? [] : [lockImport(context.db, { ...imported.link, ...imported.state })];
  const content = { draft: definition, bundle, imported, ...rest };
  const planned =
    current === undefined
      ? await planNewTool(context, caller, { ...content, draftId: draft.id })
      : await planVersion(context, caller, current, content);
  const first = unique === undefined ? [] : [requireNoTool(context.db, caller, unique)];
  return { ...planned, steps: [...first, ...planned.steps], lock };
}

async function checkIsFirst(
  { db }: BuildingContext,
  caller: Caller,
  link: ImportLink,
): Promise<void> {
  const toolName = await findToolOfItem(db, caller, link);
  if (toolName === undefined) return;
  throw new ServiceError(
    "already_imported",
    `The item that this draft was made from is imported already, as ${toolName}. Change that tool, or send \`allowDuplicate\` to publish another one.`,
    { extra: { toolName } },
  );
}

export function versionNotLive(name: string, live: number): ServiceError {
  return new ServiceError(
    "version_not_live",
    `The live version of ${name} is ${live}. Review what changed, then retry with that version.`,
    { extra: { version: live } },
  );
}
