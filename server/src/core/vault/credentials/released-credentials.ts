import type { ApprovalNeeds, CredentialOwner } from "@toolhost/contract";
import { approvedFor, subtractNeeds, findDraftApprovals, hasNoNeeds, needsOf } from "#core/catalog";
import type { ApprovedVersion } from "#core/catalog";
import { freshen } from "../connections/freshen.ts";
import { settingsOf } from "../connections/connection.ts";
import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";
import { findForTool, workspaceOwner } from "./credential-store.ts";
import type { CredentialForTool } from "./credential-store.ts";

export type Viewer = { workspaceId: string; userId: string };

/** A credential that a run cannot use, and why. */
export type UnavailableCredential = {
  name: string;
  /**
   * `missing`: neither the viewer nor the workspace has it. `not_connected`: a user must connect it at its provider.
   * `not_approved`: its owner has not approved all that the version requests. `not_exposable`: its owner has not
   * allowed code to read its value.
   */
  reason: "missing" | "not_connected" | "not_approved" | "not_exposable";
  owner: CredentialOwner;
  /** The tool belongs to another workspace. */
  isForeign: boolean;
  /** What the version requests beyond the approval. */
  new: ApprovalNeeds;
  /** For `not_approved`: the state of the earlier approval. */
  before?: "none" | "withdrawn" | "less" | undefined;
  /** The credential to connect. */
  credentialId?: string;
};

type Released = { found: Map<string, CredentialTable>; missing: UnavailableCredential[] };

/** A version of a tool, the workspace of its author, and its code, whose ID is its hash. */
export type RequestingVersion = ApprovedVersion & { workspaceId: string; bundle: { id: string } };

/**
 * The credentials that a version of a tool gets for the viewer, whose own take precedence over the workspace's. Each is
 * usable, and released only if its owner approved all that the version requests. Running a tool approves nothing.
 * Throws `unavailable` for a connection whose token has expired while its provider is unreachable.
 */
export async function findReleased(
  context: VaultContext,
  viewer: Viewer,
  tool: RequestingVersion,
): Promise<Released> {
  const needs = needsOf(tool.definition);
  const names = needs.credentials.map(({ name }) => name);
  if (names.length === 0) return { found: new Map(), missing: [] };
  const byAuthor = tool.draft && (await findDraftApprovals(context.db, tool));
  const toolId = byAuthor?.isSavedWithRight === false ? null : approvedToolId(tool);
  const rows = await findForTool(context.db, viewer, { toolId: toolId ?? "", names });
  const chosen = ownFirst(rows);
  const exposed = new Set(needs.credentials.filter(({ expose }) => expose).map(({ name }) => name));
  const isForeign = tool.workspaceId !== viewer.workspaceId;
  const isApproved = ({ name, hosts, expose }: ApprovalNeeds["credentials"][number]) => {
    const row = chosen.get(name);
    if (row === undefined) return false;
    if (byAuthor?.owners.has(ownerOf(row)) === true) return true;
    const alone = { credentials: [{ name, hosts, expose }], allowedHosts: [] };
    return hasNoNeeds(subtractNeeds(alone, approvedFor(tool.bundle.id, toApproval(row))));
  };
  // What the owner of one credential approved for it needs no approval by the owners of others.
  const open = {
    ...needs,
    credentials: needs.credentials.filter((credential) => !isApproved(credential)),
  };
  const withheld = [...chosen.values()].flatMap((row): UnavailableCredential[] => {
    const owner = ownerOf(row);
    const { name } = row;
    const notExposable: UnavailableCredential = {
      name,
      reason: "not_exposable",
      owner,
      isForeign,
      new: nothing,
    };
    // An approval cannot change that, so none is requested.
    if (isForeign && exposed.has(name)) return [notExposable];
    const approved = approvedFor(tool.bundle.id, toApproval(row));
    const more = byAuthor?.owners.has(owner) === true ? nothing : subtractNeeds(open, approved);
    if (!hasNoNeeds(more)) {
      return [{ name, reason: "not_approved", owner, isForeign, new: more, before: beforeOf(row) }];
    }
    return exposed.has(name) && row.exposable !== 1 ? [notExposable] : [];
  });
  if (withheld.length > 0) {
    return { found: new Map(), missing: [...withheld, ...notFound(names, chosen, isForeign)] };
  }
  const { found, unconnected } = await usable(context, chosen);
  const existing = new Map([...found, ...unconnected.map((row) => [row.name, row] as const)]);
  const missing = [
    ...unconnected.map((row) => notConnected(row, isForeign)),
    ...notFound(names, existing, isForeign),
  ];
  return { found, missing };
}

/** Whether a run of a tool would use a credential of the workspace. */
export async function usesSharedCredential(
  { db }: Pick<VaultContext, "db">,
  viewer: Viewer,
  { id: toolId, definition }: ApprovedVersion,
): Promise<boolean> {
  const names = needsOf(definition).credentials.map(({ name }) => name);
  if (names.length === 0) return false;
  const chosen = ownFirst(await findForTool(db, viewer, { toolId, names }));
  return [...chosen.values()].some((row) => ownerOf(row) === "workspace");
}

function beforeOf({ approved_how: how }: CredentialForTool): UnavailableCredential["before"] {
  if (how === null) return "none";
  return how === "withdrawn" ? "withdrawn" : "less";
}

function toApproval({ approved_needs: needs, approved_code }: CredentialForTool) {
  return needs === null ? undefined : { needs, approved_code };
}

/** The tool whose approvals apply to a version; for a draft, the tool that it changes. */
function approvedToolId({ id, draft }: ApprovedVersion): string | null {
  return draft === undefined ? id : draft.toolId;
}

function notConnected(row: CredentialTable, isForeign: boolean): UnavailableCredential {
  const { id, name } = row;
  const credential: UnavailableCredential = {
    name,
    reason: "not_connected",
    owner: ownerOf(row),
    isForeign,
    new: nothing,
  };
  // A client-credentials connection has no page at its provider.
  const isByPerson = settingsOf(row).grantType === "authorization_code";
  return isByPerson ? { ...credential, credentialId: id } : credential;
}

const nothing: ApprovalNeeds = { credentials: [], allowedHosts: [] };

function notFound(
  names: readonly string[],
  found: ReadonlyMap<string, unknown>,
  isForeign: boolean,
): UnavailableCredential[] {
  return names
    .filter((name) => !found.has(name))
    .map((name) => ({ name, reason: "missing", owner: "user", isForeign, new: nothing }));
}

function ownFirst(rows: readonly CredentialForTool[]): Map<string, CredentialForTool> {
  const shared = rows.filter((row) => ownerOf(row) === "workspace");
  const own = rows.filter((row) => ownerOf(row) === "user");
  return new Map([...shared, ...own].map((row) => [row.name, row]));
}

/**
 * Separates credentials that are ready from connections without a valid token. Renews tokens that are about to expire.
 */
async function usable(
  context: VaultContext,
  chosen: ReadonlyMap<string, CredentialForTool>,
): Promise<{ found: Map<string, CredentialTable>; unconnected: CredentialTable[] }> {
  const looked = await Promise.all([...chosen.values()].map((row) => freshen(context, row)));
  const existing = looked.filter((row) => row !== undefined);
  const ready = existing.filter(({ status }) => status === "ready");
  return {
    found: new Map(ready.map((row) => [row.name, row])),
    unconnected: existing.filter(({ status }) => status !== "ready"),
  };
}

export function ownerOf({ owner_user_id }: CredentialTable): CredentialOwner {
  return owner_user_id === workspaceOwner ? "workspace" : "user";
}
