import { toolNamePattern } from "@toolhost/contract";
import { expectTool } from "#core/agents";
import { lookUpEarly, provideLookup } from "#core/catalog";
import type { EarlyLookup } from "#core/catalog";
import type { Context } from "#core/context";
import { expectCaller, isKey } from "#core/identity";
import type { Caller } from "#core/kernel";
import { largeText } from "#core/validation";
import { isJsonObject } from "#lib/json-object";
import { bearerToken } from "#rest";
import { objectAt } from "./message.ts";
import { readBody } from "./read-body.ts";

/** The body of a request whose key is looked up at the same time. */
export type EarlyBody = {
  body: Promise<unknown>;
  /** Makes the lookup of the tool available to the run of the caller, once that is authenticated and the body has arrived. */
  provideTo: (caller: Caller) => Promise<void>;
};

/**
 * Reads a small body while the API key is looked up, and sends the lookup of the tool that it runs, which saves a round trip to the
 * database. Undefined if the caller cannot be guessed, and on the embedded database, which has no round trips.
 */
export function lookAhead(context: Context, request: Request): EarlyBody | undefined {
  const { headers } = request;
  if (context.db.dialect === "sqlite") return undefined;
  const token = bearerToken(headers);
  // Only bodies whose parsing is free may arrive before the rate limit is charged.
  const length = Number(headers.get("content-length") ?? Infinity);
  if (token === undefined || !isKey(token) || !(length < largeText)) return undefined;
  const expected = expectCaller(context, token);
  if (expected === undefined) return undefined;
  const body = readBody(context, request, expected);
  const lookup = body.then(
    (value) => {
      const toolName = toolOf(value);
      if (toolName === undefined || !toolNamePattern.test(toolName)) return undefined;
      return lookUpEarly(context, expected, { toolName, recordId: undefined });
    },
    // The transport reports what is wrong with the body, unless the caller is refused.
    (): EarlyLookup | undefined => undefined,
  );
  const provideTo = async (caller: Caller) => {
    const early = await lookup;
    if (early !== undefined) provideLookup(caller, early);
  };
  return { body, provideTo };
}

function toolOf(message: unknown): string | undefined {
  if (!isJsonObject(message) || message["method"] !== "tools/call") return undefined;
  const { name, arguments: args } = objectAt(message, "params");
  return typeof name === "string" ? expectTool({ name, args }) : undefined;
}
