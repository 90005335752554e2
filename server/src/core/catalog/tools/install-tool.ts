import { toolNamePattern } from "@toolhost/contract";
import type { Tool } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, notFound, ServiceError } from "#core/kernel";
import { quote } from "#lib/quote";
import type { AuthoringContext } from "../context.ts";
import { attempts, tooMuchChange } from "./change-live-tool.ts";
import { findToolRecord } from "./get-tool.ts";
import { lockPublicVersion } from "./lock-used-version.ts";
import { removeBidiControls } from "./find-publisher.ts";
import {
  countInstallChange,
  deleteInstall,
  findInCatalog,
  findInstall,
  insertInstall,
  listCatalog,
} from "./install-store.ts";
import type { CatalogRow } from "./install-store.ts";
import { versionNotLive } from "./publish-definition.ts";
import { capInstalls } from "./tool-caps.ts";
import { readToolPage } from "./tool-page.ts";
import { presentFor, toRecord } from "./tool.ts";

/** A page of the public tools of this server, newest first, each at its live version. */
export async function getCatalog(
  context: AuthoringContext,
  caller: Caller,
  page: { limit: number; after: string | undefined; text: string | undefined },
): Promise<{ tools: Tool[]; next: string | undefined }> {
  const { shown, next } = await readToolPage(page, (part) =>
    listCatalog(context.db, caller, { ...page, ...part }),
  );
  return { tools: shown.map((row) => present(context, caller, row)), next };
}

/**
 * Installs a public tool of another workspace for all members of the caller's workspace. It runs with the credentials of
 * the caller's workspace, and stays at the given version, or at the live one. Throws `tool_not_found`, `version_not_live`
 * if the given version is not live, `quota_exceeded`, and `invalid_request` if another version is already installed.
 */
export async function installTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  version: number | undefined,
): Promise<Tool> {
  const { db, clock, config } = context;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const row = toolNamePattern.test(name) ? await findInCatalog(db, caller, name) : undefined;
    if (row === undefined) {
      throw notFound("tool_not_found", "public tool", { name });
    }
    if (row.workspace_id === caller.workspaceId) {
      throw new ServiceError("invalid_request", "The tool already belongs to this workspace.");
    }
    if (row.accepted_version !== null) {
      refuseOther(name, row.accepted_version, version);
      return presentFor(caller, await findToolRecord(context, caller, name), config.baseUrl);
    }
    if (version !== undefined && version !== row.version) throw versionNotLive(name, row.version);
    const installed = present(context, caller, { ...row, accepted_version: row.version });
    const { workspaceId } = caller;
    const isInstalled = await commitWrite(context, caller, installed, [
      ...capInstalls(context, { workspaceId, toolId: row.id }),
      countInstallChange(db, workspaceId),
      {
        query: lockPublicVersion(db, { ...row, workspaceId: row.workspace_id }),
        mustChange: true,
      },
      insertInstall(db, {
        workspace_id: workspaceId,
        tool_id: row.id,
        version: row.version,
        installed_by: caller.userId,
        created_at: clock.now(),
      }),
      auditInsert(context, caller, {
        action: "tool.install",
        target: name,
        details: { version: row.version },
      }),
    ]);
    if (isInstalled) return installed;
  }
  throw tooMuchChange(name);
}

/** Installing a tool again changes nothing, and in particular does not accept another version. */
function refuseOther(name: string, accepted: number, version: number | undefined): void {
  if (version === undefined || version === accepted) return;
  throw new ServiceError(
    "invalid_request",
    `${name} is already installed at version ${accepted}. Review and accept version ${version} as an update instead.`,
  );
}

/** Uninstalls a tool from the caller's workspace. Its run records remain. Throws `tool_not_found`. */
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
      countInstallChange(db, caller.workspaceId),
      deleteInstall(db, caller, found.tool_id),
      auditInsert(context, caller, { action: "tool.uninstall", target: name }),
    ]));
  if (!isRemoved) {
    throw notInstalled(name);
  }
}

export function notInstalled(name: string): ServiceError {
  return new ServiceError(
    "tool_not_found",
    `No tool named ${quote(name)} is installed in this workspace.`,
  );
}

function present({ config }: AuthoringContext, caller: Caller, row: CatalogRow): Tool {
  const record = toRecord(row);
  const { update: _, ...tool } = presentFor(caller, record, config.baseUrl);
  const { author, workspace } = row;
  const shown: Tool = {
    ...tool,
    allowedHosts: record.definition.allowedHosts,
    publisher: {
      author: removeBidiControls(author ?? ""),
      workspace: removeBidiControls(workspace ?? ""),
    },
  };
  // The workspace's own tools need no installation.
  if (row.workspace_id === caller.workspaceId) return shown;
  const { accepted_version: accepted, version } = row;
  if (accepted === null) return { ...shown, installed: false };
  return { ...shown, installed: true, ...(accepted === version ? {} : { update: { version } }) };
}
