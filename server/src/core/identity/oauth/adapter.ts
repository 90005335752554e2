import type { Adapter, AdapterPayload } from "oidc-provider";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import type { Database, OAuthRecordTable } from "#db";
import type { Clock } from "#lib/clock";
import { sha256 } from "#lib/hash";
import { withAllowedAddresses } from "./client-metadata.ts";
import { findLiveGrant } from "./grant-store.ts";
import {
  consumeRecord,
  deleteRecord,
  deleteRecordsOfGrants,
  findRecord,
  putClient,
  putRecord,
} from "./record-store.ts";
import { findResource } from "./resources.ts";
import type { ResourceName } from "./resources.ts";

/** How long a refresh token still works after its first use, for clients that refresh twice at once. */
const reuseGraceMs = 30_000;

/** Kinds whose ID is a secret that the client or browser sends, so only its hash is stored. */
const secretKinds = new Set(["AccessToken", "RefreshToken", "AuthorizationCode", "Interaction"]);

type Needs = {
  config: Config;
  db: Database;
  clock: Clock;
  /** Ends a grant and its tokens, and records an audit event. */
  endGrant: (id: string) => Promise<void>;
};

/** Stores one kind of records of the authorization server. */
export function createAdapter({ config, db, clock, endGrant }: Needs, model: string): Adapter {
  // The service's own session identifies the user, so the library's sessions are not stored.
  if (model === "Session") return nothing;
  const isSecret = secretKinds.has(model);
  const keyOf = (id: string) => ({ model, id: isSecret ? sha256(id) : id, now: clock.now() });
  return {
    upsert: async (id, payload, expiresIn) => {
      const { now, ...key } = keyOf(id);
      const row = {
        ...key,
        payload: JSON.stringify(toStored(model, payload)),
        grant_id: payload.grantId ?? null,
        resource: resourceOf(config, payload),
        created_at: now,
        consumed_at: null,
        expires_at: expiresIn === undefined ? null : now + expiresIn * 1_000,
      };
      if (model === "Client") await register({ config, db }, row);
      else await putRecord(db, row);
    },
    find: async (id) => {
      const key = keyOf(id);
      const found = await findRecord(db, key);
      if (found === undefined) return undefined;
      if (model === "Grant" && (await findLiveGrant(db, id)) === undefined) return undefined;
      const payload = JSON.parse(found.payload) as AdapterPayload;
      if (model === "Client") return withAllowedAddresses(payload, config.OAUTH_REDIRECT_SCHEMES);
      if (isSecret) payload.jti = id;
      const { consumed_at: usedAt } = found;
      const isInGrace = model === "RefreshToken" && key.now - (usedAt ?? 0) < reuseGraceMs;
      if (usedAt === null || isInGrace) return payload;
      return { ...payload, consumed: Math.floor(usedAt / 1_000) };
    },
    consume: (id) => consumeRecord(db, keyOf(id)),
    destroy: (id) => (model === "Grant" ? endGrant(id) : deleteRecord(db, keyOf(id))),
    revokeByGrantId: async (grantId) => {
      await db.transact([deleteRecordsOfGrants(db, [grantId])]);
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

/** Converts errors, because the library reports only its own errors to clients. */
async function register(context: Pick<Needs, "config" | "db">, row: OAuthRecordTable) {
  try {
    await putClient(context, row);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { errors } = await import("./library.ts");
    throw new errors.CustomOIDCProviderError("temporarily_unavailable", error.message);
  }
}

/** The resource that a code or token is for: access tokens name its audience, the others its resource indicator. */
function resourceOf(config: Config, { aud, resource }: AdapterPayload): ResourceName | null {
  const indicator = aud ?? resource;
  if (typeof indicator !== "string") return null;
  return findResource(config, indicator)?.name ?? null;
}

/** The record without its secret. */
function toStored(model: string, payload: AdapterPayload): AdapterPayload {
  if (secretKinds.has(model)) {
    const { jti: _, ...rest } = payload;
    return rest;
  }
  const { client_secret: secret } = payload;
  return secret === undefined ? payload : { ...payload, client_secret: sha256(secret) };
}

const nothing: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
};
