import type { VaultContext } from "../context.ts";
import type { ConnectionSettings } from "./connection.ts";

/** Whether a provider no longer knows a client that the service registered, or no longer accepts its secret. */
export function isClientLost(
  { registeredFor }: ConnectionSettings,
  { code }: { code?: string | undefined },
): boolean {
  return registeredFor !== null && (code === "invalid_client" || code === "unauthorized_client");
}

/** Settings with which the next authorization registers the client again, unless a person entered it. */
export function withoutClient(
  { clock }: Pick<VaultContext, "clock">,
  settings: ConnectionSettings,
): ConnectionSettings {
  return { ...settings, clientExpiresAt: clock.now() };
}
