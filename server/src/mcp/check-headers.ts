import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { objectAt } from "./message.ts";
import type { RpcRequest } from "./message.ts";
import { isModern, metaKeys, modernRevisions } from "./revisions.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import { subscribeMethod } from "./subscription.ts";
import type { Surface } from "./surface.ts";

/** The methods that repeat a parameter in `Mcp-Name`, and the name of the parameter. */
const namedParameters: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/**
 * Checks that the headers of a modern request match its body, because a proxy may have authorized the request by its
 * headers. Throws `RpcError` as specified by 2026-07-28.
 */
export function checkHeaders(surface: Surface, request: RpcRequest, headers: Headers): void {
  const { method, params } = request;
  checkRevision(objectAt(params, "_meta"), headers);
  if (headers.get("mcp-method") !== method) {
    throw mismatch(`Mcp-Method '${headers.get("mcp-method")}' does not match '${method}'`);
  }
  const field = Object.hasOwn(namedParameters, method) ? namedParameters[method] : undefined;
  if (field !== undefined && decode(headers.get("mcp-name")) !== params[field]) {
    throw mismatch("Mcp-Name does not match the body");
  }
  if (!surface.methods.modern.has(method) && method !== subscribeMethod) {
    throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method}`, { httpStatus: 404 });
  }
  if (method === "tools/call") checkParameters(surface, params, headers);
}

function checkRevision(meta: JsonObject, headers: Headers): void {
  const revision = meta[metaKeys.revision];
  if (typeof revision !== "string" || !isJsonObject(meta[metaKeys.capabilities])) {
    throw new RpcError(
      rpcCodes.invalidParams,
      `Invalid params: _meta must carry ${metaKeys.revision} and ${metaKeys.capabilities}`,
      { httpStatus: 400 },
    );
  }
  const header = headers.get("mcp-protocol-version");
  if (header === null) throw mismatch("MCP-Protocol-Version is missing");
  if (header !== revision) throw mismatch("MCP-Protocol-Version does not match the body");
  if (!isModern(revision)) throw unsupportedRevision(revision);
}

/** The error for an unsupported revision. */
export function unsupportedRevision(revision: string): RpcError {
  return new RpcError(rpcCodes.unsupportedVersion, "Unsupported protocol version", {
    data: { supported: [...modernRevisions], requested: revision.slice(0, 100) },
    httpStatus: 400,
  });
}

function checkParameters(surface: Surface, params: JsonObject, headers: Headers): void {
  const name = params["name"];
  if (typeof name !== "string") return;
  const values = objectAt(params, "arguments");
  for (const [header, parameter] of surface.headersOfTool(name)) {
    const headerValue = headers.get(`mcp-param-${header}`);
    const value = values[parameter];
    const isMatch =
      value == null
        ? headerValue === null
        : headerValue !== null && decode(headerValue) === toText(value);
    if (!isMatch) throw mismatch(`Mcp-Param-${header} does not match the body`);
  }
}

function toText(value: JsonObject[string]): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const sentinel = /^=\?base64\?(.*)\?=$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The decoded value of a header; undefined if it is missing or malformed. */
function decode(header: string | null): string | undefined {
  if (header === null || /[^\x20-\x7e\t]/.test(header)) return undefined;
  const [, encoded] = sentinel.exec(header) ?? [];
  if (encoded === undefined) return header;
  return base64.test(encoded) ? Buffer.from(encoded, "base64").toString() : undefined;
}

function mismatch(problem: string): RpcError {
  return new RpcError(rpcCodes.headerMismatch, `Header mismatch: ${problem}`, { httpStatus: 400 });
}
