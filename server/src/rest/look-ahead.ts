import { lookUpEarly } from "#core/catalog";
import type { EarlyLookup } from "#core/catalog";
import type { Context } from "#core/context";
import { expectCaller, isKey } from "#core/identity";
import { recordIdOf } from "#core/kernel";
import { isUuidV4 } from "#lib/ids";
import { bearerToken } from "./bearer-token.ts";
import type { Route } from "./route.ts";

/**
 * Sends the lookup of the tool to run together with that of the API key, which saves a round trip to the database. Undefined if the
 * caller cannot be guessed, and on the embedded database, which has no round trips.
 */
export function lookAhead(
  context: Context,
  route: Route,
  headers: Headers,
  params: Record<string, string>,
): EarlyLookup | undefined {
  const { toolName } = params;
  if (route.runsTool !== true || toolName === undefined) return undefined;
  if (context.db.dialect === "sqlite") return undefined;
  const key = bearerToken(headers);
  const idempotencyKey = headers.get("idempotency-key");
  if (key === undefined || !isKey(key)) return undefined;
  if (idempotencyKey === null || !isUuidV4(idempotencyKey)) return undefined;
  const expected = expectCaller(context, key);
  if (expected === undefined) return undefined;
  const recordId = recordIdOf(expected, idempotencyKey);
  return lookUpEarly(context, expected, { toolName, recordId });
}
