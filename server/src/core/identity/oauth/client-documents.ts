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
/** How long the last description that was read is used while the client's server does not answer. */
const keptForMs = 7 * 86_400_000;

type Needs = {
  config: Pick<Config, "OAUTH_REDIRECT_SCHEMES">;
  db: Database;
  clock: Clock;
  log: Log;
  outbound: Pick<Outbound, "fetch">;
};

/**
 * Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): the client's id is the
 * https address of its own description. The last good one serves while the address does not answer.
 */
export function createClientDocuments(needs: Needs) {
  return {
    /** The `fetch` of the authorization server: for descriptions of clients, and for their keys. */
    fetch: async (address: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const url = address instanceof Request ? address.url : String(address);
      const accept = new Headers(init.headers).get("accept") ?? "*/*";
      // Keys of clients are fetched as well, and those are no description.
      return accept === "application/json"
        ? fetchDocument(needs, url)
        : get(needs.outbound, url, accept);
    },
  };
}

/** Each client's server has connections of its own. */
function get(outbound: Needs["outbound"], url: string, accept: string): Promise<Response> {
  const connectionGroup = `client ${URL.parse(url)?.host ?? ""}`;
  return outbound.fetch(url, { connectionGroup, method: "GET", headers: { accept } });
}

async function fetchDocument(needs: Needs, id: string): Promise<Response> {
  const { db, clock, log } = needs;
  try {
    const response = await get(needs.outbound, id, "application/json");
    // A description that was taken away for good is gone; anything else may be a bad day.
    if (response.status === 200 || response.status === 410) return await take(needs, id, response);
    throw new Error(`The address answered ${response.status}`);
  } catch (error) {
    if (error instanceof ClientMetadataError) throw error;
    const last = await findRecord(db, { model, id, now: clock.now() });
    if (last === undefined) throw error;
    log.warn({ err: error, clientId: id }, "a client's description could not be read again");
    // It was stored under the rules of its day.
    return Response.json(normalize(needs, JSON.parse(last.payload)));
  }
}

function normalize({ config }: Needs, document: unknown): Record<string, unknown> {
  return normalizeClientMetadata(document, config.OAUTH_REDIRECT_SCHEMES);
}

async function take(needs: Needs, id: string, response: Response): Promise<Response> {
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
  // The library tells what is wrong with these.
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
    created_at: now,
    consumed_at: null,
    expires_at: now + keptForMs,
  });
  return Response.json(metadata);
}
