import { toolNamePattern } from "@toolhost/contract";
import type { ToolInstall, ToolUpdate } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, byService, commitWrite } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import type { Database } from "#db";
import { toTimestamp } from "#lib/clock";
import { attempts, tooMuchChange } from "./change-live-tool.ts";
import { compareVersions, getReviewReasons } from "./compare-versions.ts";
import { toolNotFound } from "./get-tool.ts";
import { notInstalled } from "./install-tool.ts";
import { lockPublicVersion } from "./lock-used-version.ts";
import {
  acceptInstall,
  countInstallChange,
  findInCatalog,
  findInstall,
  findWaitingUpdates,
  leaveUpdate,
} from "./install-store.ts";
import type { WaitingUpdate } from "./install-store.ts";
import { versionNotLive } from "./publish-definition.ts";
import { findVersion } from "./tool-store.ts";

/**
 * The accepted version of an installed tool, and the newer version with its differences, if any. Throws
 * `tool_not_found`, also if its author no longer shares the tool.
 */
export async function getInstall(
  context: AuthoringContext,
  caller: Caller,
  name: string,
): Promise<ToolInstall> {
  const { install, live } = await findInstalled(context, caller, name);
  const { version } = install;
  return {
    name,
    version,
    installedBy: install.installed_by,
    installedAt: toTimestamp(install.created_at),
    acceptedBy: install.accepted_by,
    acceptedAt: toTimestamp(install.accepted_at),
    update:
      live.version === version
        ? null
        : await describeUpdate(context.db, live.id, { from: version, to: live.version }),
  };
}

/**
 * Switches the caller's workspace to a newer version of an installed tool. Throws `tool_not_found`, and
 * `version_not_live` if the given version is not the live one.
 */
export async function acceptUpdate(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  version: number,
): Promise<ToolInstall> {
  const { db, clock } = context;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { install, live } = await findInstalled(context, caller, name);
    if (version !== live.version) throw versionNotLive(name, live.version);
    const before = await getInstall(context, caller, name);
    if (install.version === version) return before;
    const at = clock.now();
    const accepted: ToolInstall = {
      ...before,
      version,
      acceptedBy: caller.userId,
      acceptedAt: toTimestamp(at),
      update: null,
    };
    const { workspaceId, userId } = caller;
    const from = install.version;
    const isAccepted = await commitWrite(context, caller, accepted, [
      countInstallChange(db, workspaceId),
      {
        query: lockPublicVersion(db, { id: live.id, workspaceId: live.workspace_id, version }),
        mustChange: true,
      },
      acceptInstall(db, { workspaceId, toolId: live.id, from, to: version, by: userId, at }),
      auditInsert(context, caller, {
        action: "tool.accept_update",
        target: name,
        details: { from, version, automatic: false },
      }),
    ]);
    if (isAccepted) return accepted;
  }
  throw tooMuchChange(name);
}

async function findInstalled(context: AuthoringContext, caller: Caller, name: string) {
  const isName = toolNamePattern.test(name);
  const [install, live] = isName
    ? await Promise.all([
        findInstall(context.db, caller, name),
        findInCatalog(context.db, caller, name),
      ])
    : [];
  if (install === undefined || live === undefined) {
    throw install === undefined ? notInstalled(name) : await toolNotFound(context, caller, name);
  }
  return { install, live };
}

async function describeUpdate(
  db: Database,
  toolId: string,
  { from, to }: { from: number; to: number },
): Promise<ToolUpdate> {
  const { before, after } = await findBoth(db, toolId, { from, to });
  return {
    version: to,
    publishedAt: toTimestamp(after.created_at),
    ...compareVersions(before, after),
  };
}

async function findBoth(db: Database, toolId: string, { from, to }: { from: number; to: number }) {
  const [before, after] = await Promise.all([
    findVersion(db, toolId, from),
    findVersion(db, toolId, to),
  ]);
  if (before === undefined || after === undefined) {
    throw new Error(`Version ${from} or ${to} of a tool is missing`);
  }
  return { before, after };
}

const updatesAtOnce = 100;
/**
 * Accepts updates that need no review, in workspaces with automatic updates. Safe to call from several nodes
 * concurrently. Returns the number of accepted updates.
 */
export async function acceptHarmlessUpdates(context: AuthoringContext): Promise<number> {
  let accepted = 0;
  for (;;) {
    const waiting = await findWaitingUpdates(context.db, updatesAtOnce);
    let moved = 0;
    for (const update of waiting) {
      const isAccepted = await consider(context, update);
      if (isAccepted === true) accepted += 1;
      if (isAccepted !== undefined) moved += 1;
    }
    // Concurrent changes are handled by the next call.
    if (waiting.length < updatesAtOnce || moved === 0) return accepted;
  }
}

/** Undefined if the tool, the installation or the setting changed concurrently. */
async function consider(
  context: AuthoringContext,
  update: WaitingUpdate,
): Promise<boolean | undefined> {
  const { db, clock } = context;
  const { workspace_id: workspaceId, tool_id: toolId, version: from, live_version: to } = update;
  const { before, after } = await findBoth(db, toolId, { from, to });
  const reasons = getReviewReasons(before, after);
  if (reasons.length > 0) {
    await leaveUpdate(db, update);
    return false;
  }
  const isAccepted = await db.transact([
    countInstallChange(db, workspaceId),
    {
      query: lockPublicVersion(db, { id: toolId, workspaceId: update.home_id, version: to }),
      mustChange: true,
    },
    acceptInstall(db, { workspaceId, toolId, from, to, by: null, at: clock.now() }),
    auditInsert(
      context,
      { ...byService, workspaceId },
      {
        action: "tool.accept_update",
        target: update.name,
        details: { from, version: to, automatic: true },
      },
    ),
  ]);
  return isAccepted ? true : undefined;
}
