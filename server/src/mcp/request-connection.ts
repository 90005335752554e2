import type { JsonObject, MissingCredential } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { newId } from "#lib/ids";
import { objectAt } from "./message.ts";
import { urlElicitationRevision } from "./revisions.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { McpRequest } from "./surface.ts";

/** A legacy client that calls again within this time has asked the user already. */
const askedAgainMs = 600_000;

/**
 * Requests that the client opens the page of each credential (URL elicitation), then repeats the call. Only for clients
 * that can open a URL, and once per call; otherwise undefined. Throws `RpcError` for 2025-11-25, which has an error for it.
 */
export function requestConnection(
  request: McpRequest,
  missing: readonly MissingCredential[],
  explanation: string,
): JsonObject | undefined {
  if (request.era === "modern") {
    const { capabilities, params } = request;
    const canOpenUrls = isJsonObject(objectAt(capabilities, "elicitation")["url"]);
    return canOpenUrls && params["inputResponses"] === undefined ? toInputs(missing) : undefined;
  }
  if (!isFirstRequest(request, missing)) return undefined;
  const elicitations = missing.map((credential) => ({
    ...toElicitation(credential),
    elicitationId: newId(),
  }));
  // The message is for clients that show the error to their model.
  throw new RpcError(rpcCodes.urlElicitationRequired, explanation, { data: { elicitations } });
}

function isFirstRequest(
  { context, revision, client }: McpRequest,
  missing: readonly MissingCredential[],
): boolean {
  if (revision !== urlElicitationRevision || client?.canOpenUrls !== true) return false;
  const now = context.clock.now();
  const { askedAt } = client;
  const isFirst = missing.some(({ name }) => now - (askedAt.get(name) ?? 0) > askedAgainMs);
  if (isFirst) for (const { name } of missing) askedAt.set(name, now);
  return isFirst;
}

function toInputs(missing: readonly MissingCredential[]): JsonObject {
  const requests = missing.map((credential): [string, JsonObject] => [
    `connect_${credential.name}`,
    { method: "elicitation/create", params: toElicitation(credential) },
  ]);
  return { resultType: "input_required", inputRequests: Object.fromEntries(requests) };
}

function toElicitation(credential: MissingCredential) {
  return { mode: "url", message: messageFor(credential), url: credential.connectUrl };
}

const purposes = {
  missing: "needs the credential NAME. Open the page to add it.",
  not_connected: "needs the credential NAME. Open the page to connect it.",
  not_approved:
    "requests the use of the credential NAME. Open the page to review and approve the request.",
  not_exposable:
    "requests the value of the credential NAME. Open the page to allow or refuse this.",
} as const satisfies Record<MissingCredential["reason"], string>;

function messageFor({ name, reason }: MissingCredential): string {
  return `This tool ${purposes[reason].replace("NAME", () => name)}`;
}
