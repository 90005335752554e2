import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { rpcCodes, RpcError } from "../../src/mcp/rpc-error.ts";

const key = randomBytes(32);

/** Signs state that the client sends back. */
export function sealState(state: JsonObject): string {
  const body = Buffer.from(JSON.stringify(state)).toString("base64url");
  return `${body}.${sealOf(body)}`;
}

/** Throws `RpcError` if the client changed the state. */
export function openState(sealed: unknown): JsonObject {
  const [body = "", seal = ""] = typeof sealed === "string" ? sealed.split(".") : [];
  const expected = Buffer.from(sealOf(body));
  const actual = Buffer.from(seal);
  const isValid = expected.length === actual.length && timingSafeEqual(expected, actual);
  const state: unknown = isValid
    ? JSON.parse(Buffer.from(body, "base64url").toString())
    : undefined;
  if (isJsonObject(state)) return state;
  throw new RpcError(rpcCodes.invalidParams, "The requestState was changed");
}

function sealOf(body: string): string {
  return createHmac("sha256", key).update(body).digest("base64url");
}
