import { errorCodes } from "@toolhost/contract";
import type { Caller, StoredResponse, KeyedRequest } from "#core/kernel";
import { provideLookup } from "#core/catalog";
import type { EarlyLookup } from "#core/catalog";
import type { Context } from "#core/context";
import {
  keyedRequest,
  KeyTakenError,
  openIdempotencyHandle,
  releaseKey,
  saveResponse,
  serveAlone,
  ServiceError,
} from "#core/kernel";
import { findRunResponse } from "#core/runs";
import { isUuidV4 } from "#lib/ids";
import { toStored, toReplay } from "./response.ts";
import { toProblem } from "./problem.ts";
import type { HandlerResult, Route } from "./route.ts";

type Write = {
  caller: Caller;
  headers: Headers;
  path: string;
  /** The body as received, before validation. */
  body: unknown;
  canonicalBody?: string | undefined;
  /** What was looked up before the caller was known. */
  early?: EarlyLookup | undefined;
  /** Validates the request and calls the handler. */
  handle: (caller: Caller, key: KeyedRequest | undefined) => Promise<HandlerResult<unknown>>;
};

/**
 * Serves a write so that its handler takes effect once for an Idempotency-Key. Later requests with the key get the stored
 * status, headers and bytes. A response that was sent before the handler started is not stored.
 */
export async function serveWrite(
  context: Context,
  route: Route,
  write: Write,
): Promise<StoredResponse> {
  const key = keyedRequest(context, write.caller, readKey(write.headers), {
    method: route.method,
    path: write.path,
    body: write.body,
    canonicalBody: write.canonicalBody,
  });
  if (write.early !== undefined) provideLookup(key, write.early);
  return serveAlone(context, key, {
    serve: () => serveOnce(context, route, write, key),
    findStored: async () => {
      const stored = await findRunResponse(context, key);
      return stored === undefined ? undefined : toReplay(stored);
    },
  });
}

async function serveOnce(
  context: Context,
  route: Route,
  write: Write,
  key: KeyedRequest,
): Promise<StoredResponse> {
  // Repeats only if an existing record expired between two steps.
  for (let attempt = 0; attempt < 3; attempt++) {
    const response = route.reservesKey
      ? await serveReservingHandler(context, route, write, key)
      : await serveWithReservation(context, route, write, key);
    if (response !== undefined) return response;
    const stored = await findRunResponse(context, key);
    if (stored !== undefined) return toReplay(stored);
  }
  throw new ServiceError(
    "unavailable",
    "Another request with this Idempotency-Key is in progress. Retry shortly.",
    {
      retryAfterSeconds: 1,
    },
  );
}

/** Reads the Idempotency-Key, a UUID v4. Throws `idempotency_key_missing` and `idempotency_key_invalid`. */
export function readKey(headers: Headers): string {
  const key = headers.get("idempotency-key");
  if (key === null) {
    throw new ServiceError(
      "idempotency_key_missing",
      "Send a new UUID v4 in the Idempotency-Key header, and the same one when you retry the request.",
    );
  }
  if (!isUuidV4(key)) {
    throw new ServiceError("idempotency_key_invalid", "The Idempotency-Key must be a UUID v4.");
  }
  return key;
}

/** Serves a route with `reservesKey`. Undefined if the key is already reserved. */
async function serveReservingHandler(
  context: Context,
  route: Route,
  { caller, handle }: Write,
  key: KeyedRequest,
): Promise<StoredResponse | undefined> {
  try {
    return toStored(route, await handle(caller, key), caller.requestId);
  } catch (error) {
    if (error instanceof KeyTakenError) return undefined;
    if (!(error instanceof ServiceError)) throw error;
    // A used key returns the response to its first request, even if the tool has changed since.
    const stored = await findRunResponse(context, key);
    if (stored !== undefined) return toReplay(stored);
    if (!isStorable(error)) throw error;
    const refusal = toProblem(error, caller.requestId);
    const idempotency = await openIdempotencyHandle(context, key, {
      present: () => refusal,
      isSecret: false,
    });
    if (idempotency === undefined) return undefined;
    await saveResponse(context, key, refusal, false);
    return refusal;
  }
}

/** Reserves the key, so that the handler can store its response in the transaction of its changes. */
async function serveWithReservation(
  context: Context,
  route: Route,
  { caller, handle }: Write,
  key: KeyedRequest,
): Promise<StoredResponse | undefined> {
  const isSecret = route.isSecret === true;
  const present = (result: unknown): StoredResponse => {
    const headers = route.headersOf?.(result, context) ?? {};
    return toStored(route, { body: result, headers }, caller.requestId);
  };
  const idempotency = await openIdempotencyHandle(context, key, { present, isSecret });
  if (idempotency === undefined) return undefined;
  try {
    const answer = await handle({ ...caller, idempotency }, undefined);
    return (
      idempotency.stored() ?? (await storeAfterwards(context, route, key, answer, caller.requestId))
    );
  } catch (error) {
    await storeOrRelease(context, key, error, caller.requestId);
    throw error;
  }
}

/** Stores the response of a handler that has no transaction to store it in. */
async function storeAfterwards(
  context: Context,
  route: Route,
  key: KeyedRequest,
  answer: HandlerResult<unknown>,
  requestId: string,
): Promise<StoredResponse> {
  const stored = toStored(route, answer, requestId);
  await saveResponse(context, key, stored, route.isSecret === true);
  return stored;
}

/** Releases the key after a failure, unless a retry would fail in the same way. */
async function storeOrRelease(
  context: Context,
  key: KeyedRequest,
  error: unknown,
  requestId: string,
): Promise<void> {
  const write = () =>
    error instanceof ServiceError && isStorable(error)
      ? saveResponse(context, key, toProblem(error, requestId), false)
      : releaseKey(context, key);
  await write().catch((cause: unknown) => {
    context.log.warn({ err: cause }, "could not release an Idempotency-Key; retrying");
    retryRelease(context, write);
  });
}

const releaseRetryMs = 2_000;

/** While the database is unavailable the key stays reserved; without a retry it would stay so for a day. */
function retryRelease(context: Context, write: () => Promise<void>): void {
  setTimeout(() => {
    if (context.cluster.isStopping) return;
    write().catch(() => retryRelease(context, write));
  }, releaseRetryMs).unref();
}

/** Statuses for requests that were not started, or that may succeed when retried. */
const neverStored = new Set([400, 401, 403, 413, 415, 429, 500, 503]);

function isStorable(error: ServiceError): boolean {
  // The same request succeeds once the credential exists.
  if (error.code === "credentials_missing") return false;
  return !neverStored.has(errorCodes[error.code].status);
}
