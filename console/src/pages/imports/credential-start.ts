import type { ImportResource } from "@toolhost/contract";
import { hostToAllow } from "#lib/allowed-hosts";
import type { CredentialForm } from "../credentials/credential-form.ts";

type Scheme = ImportResource["securitySchemes"][number];

/** What a new credential of an MCP server starts with: a name made from its host, and only this host. */
export function startForServer(url: string): Partial<CredentialForm> {
  const host = hostToAllow(url);
  if (host === undefined) return {};
  return { name: `${nameOf(new URL(url).hostname)}_TOKEN`, hosts: host };
}

/** What a new credential of a security scheme starts with. */
export function startForScheme(
  { kind, connection }: Pick<Scheme, "kind" | "connection">,
  { name, host }: { name: string; host: string | undefined },
): Partial<CredentialForm> {
  const common = { name, hosts: host ?? "" };
  if (kind !== "oauth2" || connection === undefined) return common;
  const { grantType, issuer, authorizationUrl = "", tokenUrl = "", scopes } = connection;
  return {
    ...common,
    kind: "oauth2",
    grantType,
    scopes: scopes.join(" "),
    ...(issuer === undefined
      ? { endpoints: "addresses" as const, authorizationUrl, tokenUrl }
      : { endpoints: "issuer" as const, issuer }),
  };
}

/** The most specific label of a host that names a service: `MCP_EXAMPLE` of `mcp.example.com`. */
function nameOf(hostname: string): string {
  const labels = hostname.split(".");
  const named = /^[a-z]/i.test(hostname) && labels.length > 1 ? labels.slice(0, -1) : ["SERVER"];
  const name = named
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_");
  return name.replaceAll(/^[^A-Z]+/g, "").slice(0, 50) || "SERVER";
}
