import type { Context } from "#core/context";
import { findByNames, workspaceOwner } from "./credential-store.ts";

/** Whether a credential can be used: it is there, it is not, or a person has to agree at its provider again. */
export type CredentialState = "connected" | "missing" | "expired";

const states: Readonly<Record<string, CredentialState>> = {
  ready: "connected",
  awaiting_consent: "missing",
  needs_reconnect: "expired",
};

/** The states of the viewer's credentials of these names, their own before the workspace's; none for what is not there. */
export async function findCredentialStates(
  context: Context,
  viewer: { workspaceId: string; userId: string },
  names: readonly string[],
): Promise<Map<string, CredentialState>> {
  if (names.length === 0) return new Map();
  const rows = await findByNames(context.db, viewer, names);
  const shared = rows.filter((row) => row.owner_user_id === workspaceOwner);
  const own = rows.filter((row) => row.owner_user_id !== workspaceOwner);
  return new Map([...shared, ...own].map((row) => [row.name, states[row.status] ?? "missing"]));
}
