import { hkdfSync } from "node:crypto";
import { isLoopbackHost } from "#config";
import type { Config } from "#config";

/**
 * The secret that the first user must have to own a server that other machines can reach: by its public address, or because
 * it listens for them. Undefined for a server of this machine only. Derived, so that all nodes on a database print the same link. It is useless once there is an owner.
 */
export function deriveSetupToken(
  { baseUrl, isLoopback }: Pick<Config, "baseUrl" | "isLoopback">,
  rootSecret: Buffer,
): string | undefined {
  const host = new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback && isLoopbackHost(host)) return undefined;
  return Buffer.from(hkdfSync("sha256", rootSecret, "", "setup link", 24)).toString("base64url");
}
