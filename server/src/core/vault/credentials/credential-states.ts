import { connectAddress } from "../connections/offer-connection.ts";
import { settingsOf } from "../connections/connection.ts";
import type { VaultContext } from "../context.ts";
import type { CredentialTable } from "#db";
import { findByNames, workspaceOwner } from "./credential-store.ts";

type Viewer = { workspaceId: string; userId: string };

/** Whether a credential can be used: it exists, it does not, or a user has to reconnect it at its provider. */
export type CredentialState = "connected" | "missing" | "expired";

const states: Readonly<Record<string, CredentialState>> = {
  ready: "connected",
  awaiting_consent: "missing",
  needs_reconnect: "expired",
};

/** The pages on which a user connects those of the viewer's credentials that are connections, by name. */
export async function findConnectAddresses(
  context: VaultContext,
  viewer: Viewer,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await chosen(context, viewer, names);
  const byPerson = rows.filter(
    (row) => row.kind === "oauth2" && settingsOf(row).grantType === "authorization_code",
  );
  return new Map(byPerson.map((row) => [row.name, connectAddress(context.config.baseUrl, row.id)]));
}

type Found = { state: CredentialState; isExposable: boolean };

/**
 * The states of the viewer's credentials by name, where their own take precedence over the workspace's. Names without a
 * credential are omitted.
 */
export async function findCredentialStates(
  context: VaultContext,
  viewer: Viewer,
  names: readonly string[],
): Promise<Map<string, Found>> {
  const rows = await chosen(context, viewer, names);
  return new Map(
    rows.map(({ name, status, exposable }) => [
      name,
      { state: states[status] ?? "missing", isExposable: exposable === 1 },
    ]),
  );
}

/** For each name the viewer's own credential, or else the workspace's. */
async function chosen(
  context: VaultContext,
  viewer: Viewer,
  names: readonly string[],
): Promise<CredentialTable[]> {
  if (names.length === 0) return [];
  const rows = await findByNames(context.db, viewer, names);
  const shared = rows.filter((row) => row.owner_user_id === workspaceOwner);
  const own = rows.filter((row) => row.owner_user_id !== workspaceOwner);
  return [...new Map([...shared, ...own].map((row) => [row.name, row])).values()];
}
