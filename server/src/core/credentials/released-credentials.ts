import type { ApprovalNeeds, CredentialOwner } from "@toolhost/contract";
import { beyond, findDraftApprovals, isNothing, needsOf, readNeeds } from "#core/approvals";
import type { ApprovedVersion } from "#core/approvals";
import { freshen, settingsOf } from "#core/connections";
import type { Context } from "#core/context";
import type { CredentialTable } from "#db";
import { findForTool, workspaceOwner } from "./credential-store.ts";
import type { CredentialForTool } from "./credential-store.ts";

export type Viewer = { workspaceId: string; userId: string };

/** A credential that a run cannot have, and why. */
export type Lack = {
  name: string;
  /**
   * Nobody keeps it for the viewer, a person has to agree at its provider, or its owner has not approved all that
   * the version asks for.
   */
  reason: "missing" | "not_connected" | "not_approved";
  owner: CredentialOwner;
  /** What the version asks for beyond what was approved. */
  new: ApprovalNeeds;
  /** The credential that has to be connected. */
  credentialId?: string;
};

type Released = {
  found: Map<string, CredentialTable>;
  lacks: Lack[];
  /** The viewer keeps some of them and has decided nothing about the tool yet. */
  isUndecided: boolean;
};

/**
 * The credentials that a version of a tool gets for the viewer: their own before the workspace's, fit for use,
 * and each only if its owner approved all that the version asks for. `mayDecide`: where the viewer has decided
 * nothing yet, running the tool is their consent. Throws `unavailable` for a connection whose token has ended while
 * its provider cannot be asked.
 */
export async function findReleased(
  context: Context,
  viewer: Viewer,
  tool: ApprovedVersion,
  mayDecide: boolean,
): Promise<Released> {
  const needs = needsOf(tool.definition);
  const names = needs.credentials.map(({ name }) => name);
  if (names.length === 0) return { found: new Map(), lacks: [], isUndecided: false };
  const toolId = tool.draft === undefined ? tool.id : (tool.draft.toolId ?? "");
  const rows = await findForTool(context.db, viewer, { toolId, names });
  const byAuthor = tool.draft && (await findDraftApprovals(context.db, tool));
  const chosen = ownFirst(rows);
  const isUndecided = [...chosen.values()].some(
    (row) => ownerOf(row) === "user" && row.approved_needs === null && !byAuthor?.has("user"),
  );
  const unapproved = [...chosen.values()].flatMap((row): Lack[] => {
    const owner = ownerOf(row);
    if (byAuthor?.has(owner) === true) return [];
    if (row.approved_needs === null && owner === "user" && mayDecide) return [];
    const approved = row.approved_needs === null ? undefined : readNeeds(row.approved_needs);
    const more = beyond(needs, approved);
    const { name } = row;
    return isNothing(more) ? [] : [{ name, reason: "not_approved", owner, new: more }];
  });
  if (unapproved.length > 0) {
    const lacks = [...unapproved, ...missing(names, chosen)];
    return { found: new Map(), lacks, isUndecided };
  }
  const { found, unconnected } = await usable(context, chosen);
  const there = new Map([...found, ...unconnected.map((row) => [row.name, row] as const)]);
  const lacks = [...unconnected.map(notConnected), ...missing(names, there)];
  return { found, lacks, isUndecided };
}

function notConnected(row: CredentialTable): Lack {
  const { id, name } = row;
  const lack = { name, reason: "not_connected", owner: ownerOf(row), new: nothing } as const;
  // One that acts for itself has no page at its provider.
  const isByPerson = settingsOf(row).grantType === "authorization_code";
  return isByPerson ? { ...lack, credentialId: id } : lack;
}

const nothing: ApprovalNeeds = { credentials: [], allowedHosts: [] };

function missing(names: readonly string[], found: ReadonlyMap<string, unknown>): Lack[] {
  return names
    .filter((name) => !found.has(name))
    .map((name) => ({ name, reason: "missing", owner: "user", new: nothing }));
}

function ownFirst(rows: readonly CredentialForTool[]): Map<string, CredentialForTool> {
  const shared = rows.filter((row) => ownerOf(row) === "workspace");
  const own = rows.filter((row) => ownerOf(row) === "user");
  return new Map([...shared, ...own].map((row) => [row.name, row]));
}

/** Where they are connections, those with a token that works, and those without. */
async function usable(
  context: Context,
  chosen: ReadonlyMap<string, CredentialForTool>,
): Promise<{ found: Map<string, CredentialTable>; unconnected: CredentialTable[] }> {
  const looked = await Promise.all([...chosen.values()].map((row) => freshen(context, row)));
  const there = looked.filter((row) => row !== undefined);
  const ready = there.filter(({ status }) => status === "ready");
  return {
    found: new Map(ready.map((row) => [row.name, row])),
    unconnected: there.filter(({ status }) => status !== "ready"),
  };
}

export function ownerOf({ owner_user_id }: CredentialTable): CredentialOwner {
  return owner_user_id === workspaceOwner ? "workspace" : "user";
}
