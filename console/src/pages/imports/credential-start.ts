import type { ImportResource } from "@toolhost/contract";
import { hostToAllow } from "#lib/allowed-hosts";
import { nameForServer } from "../credentials/credential-form.ts";
import type { CredentialForm } from "../credentials/credential-form.ts";

type Scheme = ImportResource["securitySchemes"][number];

/** What a new credential of an MCP server starts with: a sign-in there, or a value for its host only. */
export function startForServer(url: string): Partial<CredentialForm> {
  const host = hostToAllow(url);
  if (host === undefined) return {};
  return { kind: "server", resource: url, name: nameForServer(url), hosts: host };
}

/** What a new credential of a security scheme starts with. */
export function startForScheme(
  { kind, connection }: Pick<Scheme, "kind" | "connection">,
  {
    name,
    host,
    scopes: needed,
  }: {
    name: string;
    host: string | undefined;
    /** What the chosen operations need; undefined if the document does not say. */
    scopes?: readonly string[] | undefined;
  },
): Partial<CredentialForm> {
  const common = { name, hosts: host ?? "" };
  if (kind !== "oauth2" || connection === undefined) return common;
  const { grantType, issuer, authorizationUrl = "", tokenUrl = "", scopes } = connection;
  return {
    ...common,
    kind: "oauth2",
    grantType,
    scopes: (needed ?? scopes).join(" "),
    ...(issuer === undefined
      ? { endpoints: "addresses" as const, authorizationUrl, tokenUrl }
      : { endpoints: "issuer" as const, issuer }),
  };
}
