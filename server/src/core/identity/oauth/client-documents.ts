import type { Outbound } from "@toolhost/sandbox";
import type { Config } from "#config";
import type { Database } from "#db";
import type { Clock } from "#lib/clock";
import { isJsonObject } from "#lib/json-object";
import type { Log } from "#lib/log";
import { ClientMetadataError, normalizeClientMetadata } from "./client-metadata.ts";
import { findRecord, putRecord } from "./record-store.ts";

const model = "ClientDocument";
const maxLength = 64 * 1024;
/** How long the last document is used while the client's server is not responding. */
const cacheMs = 7 * 86_400_000;

type Needs = {
  config: Pick<Config, "OAUTH_REDIRECT_SCHEMES">;
  db: Database;
  clock: Clock;
  log: Log;
  outbound: Pick<Outbound, "fetch">;
};

/**
 * Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): the client's ID is the https URL of its
 * own metadata document. The last valid one is used while the URL is not responding.
 */
export function createClientDocuments(needs: Needs) {
  return {
    /** The `fetch` of the authorization server, for metadata documents and keys of clients. */
    fetch: async (address: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const url = address instanceof Request ? address.url : String(address);
      const accept = new Headers(init.headers).get("accept") ?? "*/*";
      // The library also fetches client keys, which are not metadata documents.
      return accept === "application/json"
        ? fetchDocument(needs, url)
        : get(needs.outbound, url, accept);
    },
  };
}

/** Requests to different client servers share no connections. */
function get(outbound: Needs["outbound"], url: string, accept: string): Promise<Response> {
  const connectionGroup = `client ${URL.parse(url)?.host ?? ""}`;
  return outbound.fetch(url, { connectionGroup, method: "GET", headers: { accept } });
}

async function fetchDocument(needs: Needs, id: string): Promise<Response> {
  const { db, clock, log } = needs;
  try {
    const response = await get(needs.outbound, id, "application/json");
    // 410 means that the document was removed permanently. All other failures may be temporary.
    if (response.status === 200 || response.status === 410) return await store(needs, id, response);
    throw new Error(`The URL returned ${response.status}`);
  } catch (error) {
    if (error instanceof ClientMetadataError) throw error;
    const last = await findRecord(db, { model, id, now: clock.now() });
    if (last === undefined) throw error;
    log.warn(
      { err: error, clientId: id },
      "could not refresh a client metadata document; using the stored one",
    );
    // The rules may have changed since it was stored.
    return Response.json(normalize(needs, JSON.parse(last.payload)));
  }
}

function normalize({ config }: Needs, document: unknown): Record<string, unknown> {
  return normalizeClientMetadata(document, config.OAUTH_REDIRECT_SCHEMES);
}

async function store(needs: Needs, id: string, response: Response): Promise<Response> {
  const { db, clock } = needs;
  if (response.status !== 200) return new Response(null, { status: response.status });
  const text = await response.text();
  if (text.length > maxLength) {
    throw new ClientMetadataError(
      "invalid_client_metadata",
      "The client metadata document is too large.",
    );
  }
  const document: unknown = JSON.parse(text);
  // The library reports these errors.
  if (!isJsonObject(document) || document["client_id"] !== id || "client_secret" in document) {
    return Response.json(document);
  }
  const metadata = normalize(needs, document);
  if (document["token_endpoint_auth_method"] === undefined)
    metadata["token_endpoint_auth_method"] = "none";
  const now = clock.now();
  await putRecord(db, {
    model,
    id,
    payload: JSON.stringify(metadata),
    grant_id: null,
    resource: null,
    created_at: now,
    consumed_at: null,
    expires_at: now + cacheMs,
  });
  return Response.json(metadata);
}
