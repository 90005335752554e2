import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { rpcCodes, RpcError } from "../../src/mcp/rpc-error.ts";

const key = randomBytes(32);

/** State that a client carries and must not have changed. */
export function closeState(state: JsonObject): string {
  const body = Buffer.from(JSON.stringify(state)).toString("base64url");
  return `${body}.${sealOf(body)}`;
}

/** Throws `RpcError` for state that is not as it was given. */
export function openState(given: unknown): JsonObject {
  const [body = "", seal = ""] = typeof given === "string" ? given.split(".") : [];
  const own = Buffer.from(sealOf(body));
  const shown = Buffer.from(seal);
  const isOurs = own.length === shown.length && timingSafeEqual(own, shown);
  const state: unknown = isOurs ? JSON.parse(Buffer.from(body, "base64url").toString()) : undefined;
  if (isJsonObject(state)) return state;
  throw new RpcError(rpcCodes.invalidParams, "The requestState is not as it was given");
}

function sealOf(body: string): string {
  return createHmac("sha256", key).update(body).digest("base64url");
}
