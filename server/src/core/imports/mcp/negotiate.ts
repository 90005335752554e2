import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { HttpError, legacyRevisions, modernRevision } from "./client/mcp-client.ts";
import { ProtocolError, RpcError } from "./client/messages.ts";
import type { McpClient } from "./client/mcp-client.ts";
import type { McpEndpoint, McpTransport } from "./definition.ts";

/** Creates a client. Aborting the signal ends its requests. */
export type Connect = (
  transport: McpTransport,
  protocolVersion: string,
  signal?: AbortSignal,
) => McpClient;

type Negotiated = {
  client: McpClient;
  transport: McpTransport;
  protocolVersion: string;
  /** The server's answer: its name, its capabilities and its instructions. */
  about: JsonObject;
};

/** A server of an older revision may leave a method that it does not know without an answer. */
const discoverTimeoutMs = 3_000;
/** The statuses with which a server of the older transport refuses a POST request to the address of its stream. */
const oldTransportStatuses: ReadonlySet<number> = new Set([400, 404, 405]);

/** Finds the newest revision and transport that the server speaks. */
export async function negotiate(
  connect: Connect,
  wanted: McpEndpoint["transport"],
): Promise<Negotiated> {
  if (wanted === "sse") return initialize(connect, "sse");
  const modern = await discover(connect);
  if (modern !== undefined) return modern;
  try {
    return await initialize(connect, "http");
  } catch (error) {
    const status = error instanceof HttpError ? error.response.status : 0;
    if (wanted === "http" || !oldTransportStatuses.has(status)) throw error;
    return initialize(connect, "sse").catch((second: unknown) => {
      throw isAccessError(second) ? second : error;
    });
  }
}

/** Asks as revision 2026-07-28 defines. Undefined if the server does not speak it. */
async function discover(connect: Connect): Promise<Negotiated | undefined> {
  const late = AbortSignal.timeout(discoverTimeoutMs);
  try {
    const about = await connect("http", modernRevision, late).request("server/discover", {});
    const versions = about["supportedVersions"];
    if (!Array.isArray(versions) || !versions.includes(modernRevision)) return undefined;
    const client = connect("http", modernRevision);
    return { client, transport: "http", protocolVersion: modernRevision, about: asJson(about) };
  } catch (error) {
    if (isAccessError(error)) throw error;
    const isRefusal = error instanceof HttpError || error instanceof RpcError;
    if (isRefusal || error instanceof ProtocolError || late.aborted) return undefined;
    throw error;
  }
}

async function initialize(connect: Connect, transport: McpTransport): Promise<Negotiated> {
  const [newest = ""] = legacyRevisions;
  const client = connect(transport, newest);
  const about = asJson(await client.initialize());
  const protocolVersion = client.session?.protocolVersion ?? newest;
  return { client, transport, protocolVersion, about };
}

function isAccessError(error: unknown): boolean {
  return error instanceof HttpError && [401, 403].includes(error.response.status);
}

function asJson(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
