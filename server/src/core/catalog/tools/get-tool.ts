import { toolNamePattern } from "@toolhost/contract";
import type { Tool, ToolDetail, ToolOrigin, ToolVersion } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { isOwnWork } from "../approvals/approval-store.ts";
import type { AuthoringContext } from "../context.ts";
import { notFound, ServiceError } from "#core/kernel";
import { cutPage } from "#lib/page";
import { readToolPage } from "./tool-page.ts";
import { findHold, toolOnHold } from "./hold.ts";
import { findInstall } from "./install-store.ts";
import { checkMayChange } from "./tool-rights.ts";
import { listTools } from "./tool-list-store.ts";
import { findTool } from "./tool-store.ts";
import { listVersions } from "./version-store.ts";
import type { Viewer } from "./tool-store.ts";
import { presentForAuthor, presentToolDetail, toRecord, toSourcedTool } from "./tool.ts";
import type { SourcedTool } from "./tool.ts";
import { presentVersion } from "./version-row.ts";

/** The tool at the version that the workspace uses. Throws `tool_not_found`, also for tools that the caller may not see. */
export async function findToolRecord(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<SourcedTool> {
  // Invalid names are not looked up, so that hostile text does not reach the database.
  const row = toolNamePattern.test(name) ? await findTool(context.db, caller, name) : undefined;
  if (row === undefined) throw await toolNotFound(context, caller, name);
  return toSourcedTool(row);
}

/** Explains whether an installed tool has become unavailable. */
export async function toolNotFound(
  { db }: Pick<AuthoringContext, "db">,
  viewer: Viewer,
  name: string,
): Promise<ServiceError> {
  const isInstalled =
    toolNamePattern.test(name) && (await findInstall(db, viewer, name)) !== undefined;
  if (!isInstalled) return notFound("tool_not_found", "tool", { name });
  return new ServiceError(
    "tool_not_found",
    `The tool ${name} is installed in this workspace, but its author archived it or no longer shares it.`,
  );
}

/**
 * Checks that a tool may be copied, and returns whether the caller wrote all its versions, each with `credentials:write`. Throws
 * `tool_not_found`, and `definition_changed` for a tool on hold, because a copy is not compared with its definition.
 */
export async function checkCopy(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<{ isOwn: boolean }> {
  const record = await findToolRecord(context, caller, name);
  const hold = await findHold(context, record);
  if (hold !== undefined) throw toolOnHold(context, name, hold);
  return { isOwn: await isOwnWork(context.db, { toolId: record.id, userId: caller.userId }) };
}

/** The full definition of a tool; includes the code only in the author's workspace. */
export async function getTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<ToolDetail> {
  const record = await findToolRecord(context, caller, name);
  const hold = await findHold(context, record);
  const shown = presentToolDetail(caller, record, context.config.baseUrl);
  return hold === undefined ? shown : { ...shown, hold };
}

/** A page of the tools that the caller may run, newest first, with the cursor of the next page. */
export async function getToolList(
  context: AuthoringContext,
  caller: Caller,
  page: {
    limit: number;
    after: string | undefined;
    text: string | undefined;
    origin?: ToolOrigin | undefined;
  },
): Promise<{ tools: Tool[]; ids: string[]; next: string | undefined }> {
  const { shown, next } = await readToolPage(page, (part) =>
    listTools(context.db, caller, { ...page, ...part }),
  );
  return {
    tools: shown.map((row) => presentForAuthor(caller, toRecord(row), context.config.baseUrl)),
    ids: shown.map(({ id }) => id),
    next,
  };
}

/** A page of the tool's versions, newest first. */
export async function getVersions(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  page: { limit: number; before: number | undefined },
): Promise<{ versions: ToolVersion[]; next: number | undefined }> {
  const record = await findToolRecord(context, caller, name);
  checkMayChange(caller, record);
  const rows = await listVersions(context.db, record.id, { ...page, limit: page.limit + 1 });
  const { shown, next } = cutPage(rows, page.limit, ({ version }) => version);
  return {
    versions: shown.map((row) => presentVersion(row, record)),
    next,
  };
}
