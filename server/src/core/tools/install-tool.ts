import { toolNamePattern } from "@toolhost/contract";
import type { Tool } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { auditInsert } from "#core/audit";
import type { AuthoringContext } from "#core/context";
import { ServiceError } from "#core/errors";
import { commitWrite, lostKey } from "#core/idempotency";
import { cutPage } from "#lib/page";
import {
  deleteInstall,
  findInCatalog,
  findInstall,
  insertInstall,
  listCatalog,
} from "./install-store.ts";
import type { CatalogRow } from "./install-store.ts";
import { capInstalls } from "./tool-caps.ts";
import { presentFor, toRecord } from "./tool.ts";

/** A page of the tools that any workspace of this server may install, newest first. */
export async function getCatalog(
  context: AuthoringContext,
  caller: Caller,
  page: { limit: number; after: string | undefined; text: string | undefined },
): Promise<{ tools: Tool[]; next: string | undefined }> {
  const rows = await listCatalog(context.db, caller, { ...page, limit: page.limit + 1 });
  const { shown, next } = cutPage(rows, page.limit, ({ id }) => id);
  return { tools: shown.map((row) => present(context, caller, row)), next };
}

/**
 * Lets everybody in the caller's workspace use a public tool of another. It runs there with that workspace's
 * credentials, always at the version that its author has live. Throws `tool_not_found`, `quota_exceeded`.
 */
export async function installTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<Tool> {
  const { db, clock } = context;
  const row = toolNamePattern.test(name) ? await findInCatalog(db, caller, name) : undefined;
  if (row === undefined) {
    throw new ServiceError("tool_not_found", "There is no public tool of this name.");
  }
  if (row.workspace_id === caller.workspaceId) {
    throw new ServiceError("invalid_request", "The tool is this workspace's own.");
  }
  const installed = present(context, caller, { ...row, is_installed: 1 });
  const isKept = await commitWrite(context, caller, installed, [
    ...capInstalls(context, { workspaceId: caller.workspaceId, toolId: row.id }),
    insertInstall(db, {
      workspace_id: caller.workspaceId,
      tool_id: row.id,
      installed_by: caller.userId,
      created_at: clock.now(),
    }),
    auditInsert(context, caller, { action: "tool.install", target: name }),
  ]);
  if (!isKept) throw lostKey();
  return installed;
}

/** Takes an installed tool out of the caller's workspace. Records of its runs stay. Throws `tool_not_found`. */
export async function uninstallTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<void> {
  const { db } = context;
  const found = toolNamePattern.test(name) ? await findInstall(db, caller, name) : undefined;
  const isRemoved =
    found !== undefined &&
    (await commitWrite(context, caller, null, [
      { query: deleteInstall(db, caller, found.tool_id), mustChange: true },
      auditInsert(context, caller, { action: "tool.uninstall", target: name }),
    ]));
  if (!isRemoved) {
    throw new ServiceError("tool_not_found", "No tool of this name is installed here.");
  }
}

function present({ config }: AuthoringContext, caller: Caller, row: CatalogRow): Tool {
  const shown = presentFor(caller, toRecord(row), config.baseUrl);
  // What is the workspace's own needs no installing.
  return row.workspace_id === caller.workspaceId
    ? shown
    : { ...shown, installed: row.is_installed === 1 };
}
