import type { ApprovalNeeds, ApproveToolInput, CredentialOwner } from "@toolhost/contract";
import { mayDo } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { approveTool, getApprovals, overlaps } from "#core/catalog";
import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";
import { findByNames } from "./credential-store.ts";
import { ownerOf } from "./present-credential.ts";
import { changeSteps } from "./replace-credential.ts";

/** What a version requests of a credential that its owner has not allowed. */
export type CredentialGap = {
  name: string;
  /** The version requests the value. */
  expose: boolean;
  /** Hosts that the version may send it to, and that the credential does not allow. */
  hosts: string[];
  /** The caller may change the credential. */
  mayChange: boolean;
};

type Version = { requested: ApprovalNeeds; tool: { workspace: { isOwn: boolean } } };

/** What prevents a version from using one owner's credentials as it requests, even if it is approved. */
export async function findCredentialGaps(
  context: VaultContext,
  caller: Caller,
  version: Version,
  owner: CredentialOwner,
): Promise<CredentialGap[]> {
  const mayChange = owner === "user" || mayDo(caller.role, "credentials:share");
  const found = await findGaps(context, caller, version, owner);
  return found.map(({ row: { name }, expose, hosts }) => ({ name, expose, hosts, mayChange }));
}

async function findGaps(
  { db }: VaultContext,
  caller: Caller,
  { requested, tool }: Version,
  owner: CredentialOwner,
): Promise<{ row: CredentialTable; expose: boolean; hosts: string[] }[]> {
  const names = requested.credentials.map(({ name }) => name);
  const rows = names.length === 0 ? [] : await findByNames(db, caller, names);
  return requested.credentials.flatMap((asked) => {
    const row = rows.find((one) => one.name === asked.name && ownerOf(one) === owner);
    if (row === undefined) return [];
    // No setting allows a tool of another workspace to read a value.
    const expose = asked.expose && tool.workspace.isOwn && row.exposable !== 1;
    const hosts = uncoveredHosts(asked.hosts, requested.allowedHosts, JSON.parse(row.hosts));
    return expose || hosts.length > 0 ? [{ row, expose, hosts }] : [];
  });
}

/** If a tool names no hosts for a credential, one allowed host that the credential covers is sufficient. */
function uncoveredHosts(
  asked: readonly string[],
  allowedHosts: readonly string[],
  own: readonly string[],
): string[] {
  const isUsable = (host: string) => overlaps(host, own);
  if (!asked.includes("*")) return asked.filter((host) => !isUsable(host));
  return allowedHosts.some(isUsable) ? [] : [...allowedHosts];
}

/** The changes to one credential that the user accepts together with the approval. */
export type CredentialConsent = { name: string; expose: boolean; hosts: readonly string[] };

/**
 * Approves a version and changes the owner's credentials as the version requires, in one transaction. Throws as
 * `approveTool` does.
 */
export async function approveWithChanges(
  context: VaultContext,
  caller: Caller,
  name: string,
  request: ApproveToolInput,
  consents: readonly CredentialConsent[],
): Promise<void> {
  const shown = await getApprovals(context, caller, name);
  const gaps = await findGaps(context, caller, shown, request.owner);
  const changes = gaps.flatMap(({ row, expose, hosts }) => {
    const consent = consents.find((one) => one.name === row.name);
    const added = hosts.filter((host) => consent?.hosts.includes(host) === true);
    const isExposed = expose && consent?.expose === true;
    if (!isExposed && added.length === 0) return [];
    const own = JSON.parse(row.hosts) as string[];
    const change = {
      ...(isExposed ? { exposable: true } : {}),
      ...(added.length === 0 ? {} : { hosts: [...own, ...added] }),
    };
    return changeSteps(context, caller, row, change).steps;
  });
  await approveTool(context, caller, name, request, changes);
}
