import { sql } from "kysely";
import type { Database } from "#db";

/** A key or connection that needs attention. */
export type EndingCredential = {
  id: string;
  kind: "key" | "expires" | "reconnect" | "refresh";
  name: string;
  expires_at: number | null;
};

/** A refresh may fail once for reasons that pass. */
const maxFailures = 2;

/**
 * The keys of a workspace that expire within a time, and its shared connections that expire without a refresh, must be reconnected,
 * or fail to refresh.
 */
export async function findEndingCredentials(
  { kysely }: Database,
  { workspaceId, now, until }: { workspaceId: string; now: number; until: number },
): Promise<EndingCredential[]> {
  const { rows } = await sql<EndingCredential>`
    select id, 'key' as kind, name, expires_at from api_keys
    where workspace_id = ${workspaceId} and revoked_at is null
      and expires_at > ${now} and expires_at <= ${until}
    union all
    select id, case
        when status = 'needs_reconnect' then 'reconnect'
        when refresh_failures > ${sql.lit(maxFailures)} then 'refresh'
        else 'expires' end as kind,
      name, expires_at
    from credentials
    where workspace_id = ${workspaceId} and owner_user_id = '' and kind = 'oauth2'
      and (status = 'needs_reconnect' or refresh_failures > ${sql.lit(maxFailures)}
        or (status = 'ready' and refresh_at is null and expires_at <= ${until}))
    order by id
  `.execute(kysely);
  return rows;
}
