import type { AdapterPayload } from "oidc-provider";
import type { Config } from "#config";
import type { OAuthGrantTable, OAuthRecordTable } from "#db";
import { scopesAt } from "./grant-store.ts";
import { resourcesOf } from "./resources.ts";

/** The library requires a lifetime, but a grant ends with its last refresh token or when it is revoked. */
export const grantSeconds = 10 * 365 * 86_400;

/** A grant as the library's record, which limits the scopes of new tokens at each resource. */
export function grantRecord(config: Config, grant: OAuthGrantTable, at: number): OAuthRecordTable {
  const { mcp, rest } = resourcesOf(config);
  const resources = [mcp, rest].flatMap(({ name, indicators }) => {
    const scopes = scopesAt(grant, name).join(" ");
    return scopes === "" ? [] : indicators.map((indicator) => [indicator, scopes] as const);
  });
  const iat = Math.floor(at / 1_000);
  const payload: AdapterPayload = {
    kind: "Grant",
    jti: grant.id,
    iat,
    exp: iat + grantSeconds,
    accountId: grant.user_id,
    clientId: grant.client_id,
    resources: Object.fromEntries(resources),
  };
  return {
    model: "Grant",
    id: grant.id,
    payload: JSON.stringify(payload),
    grant_id: null,
    resource: null,
    created_at: at,
    consumed_at: null,
    expires_at: at + grantSeconds * 1_000,
  };
}
