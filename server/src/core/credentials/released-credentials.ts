import type { ApprovalNeeds, CredentialOwner } from "@toolhost/contract";
import { beyond, isNothing, needsOf, readNeeds } from "#core/approvals";
import type { ApprovedVersion } from "#core/approvals";
import { freshen } from "#core/connections";
import type { Context } from "#core/context";
import type { CredentialTable } from "#db";
import { findForTool, workspaceOwner } from "./credential-store.ts";
import type { CredentialForTool } from "./credential-store.ts";

export type Viewer = { workspaceId: string; userId: string };

/** A credential that a run cannot have, and why. */
export type Lack = {
  name: string;
  /** Nobody keeps it for the viewer, or its owner has not approved all that the version asks for. */
  reason: "missing" | "not_approved";
  owner: CredentialOwner;
  /** What the version asks for beyond what was approved. */
  new: ApprovalNeeds;
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
  const rows = await findForTool(context.db, viewer, { toolId: tool.id, names });
  const chosen = ownFirst(rows);
  const isUndecided = [...chosen.values()].some(
    (row) => ownerOf(row) === "user" && row.approved_needs === null,
  );
  const unapproved = [...chosen.values()].flatMap((row): Lack[] => {
    const owner = ownerOf(row);
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
  const found = await usable(context, chosen);
  return { found, lacks: missing(names, found), isUndecided };
}

function missing(names: readonly string[], found: ReadonlyMap<string, unknown>): Lack[] {
  const nothing = { credentials: [], allowedHosts: [] };
  return names
    .filter((name) => !found.has(name))
    .map((name) => ({ name, reason: "missing", owner: "user", new: nothing }));
}

function ownFirst(rows: readonly CredentialForTool[]): Map<string, CredentialForTool> {
  const shared = rows.filter((row) => ownerOf(row) === "workspace");
  const own = rows.filter((row) => ownerOf(row) === "user");
  return new Map([...shared, ...own].map((row) => [row.name, row]));
}

/** Those with a token that works, where they are connections. */
async function usable(
  context: Context,
  chosen: ReadonlyMap<string, CredentialForTool>,
): Promise<Map<string, CredentialTable>> {
  const fresh = await Promise.all([...chosen.values()].map((row) => freshen(context, row)));
  return new Map(
    fresh.flatMap((row) => (row?.status === "ready" ? [[row.name, row] as const] : [])),
  );
}

function ownerOf({ owner_user_id }: CredentialTable): CredentialOwner {
  return owner_user_id === workspaceOwner ? "workspace" : "user";
}
