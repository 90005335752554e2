import { errorCodes } from "@toolhost/contract";
import type { Caller, KeptAnswer, KeyedRequest } from "#core/kernel";
import type { Context } from "#core/context";
import {
  keyedRequest,
  KeyTakenError,
  openReceipt,
  releaseKey,
  ServiceError,
  settleKey,
} from "#core/kernel";
import { findRunResponse } from "#core/runs";
import { isUuidV4 } from "#lib/ids";
import { toKept, toReplay, toResponse } from "./answer.ts";
import { toProblem } from "./problem.ts";
import type { Answer, Route } from "./route.ts";

type Write = {
  caller: Caller;
  headers: Headers;
  path: string;
  /** The body as it came, before any check of its shape. */
  body: unknown;
  canonicalBody?: string | undefined;
  /** Checks the request and calls the handler. */
  handle: (caller: Caller, key: KeyedRequest | undefined) => Promise<Answer<unknown>>;
};

/**
 * Serves a write so that its handler's work is done once for its Idempotency-Key: afterwards the key answers
 * with the same status, headers and bytes. An answer that comes before anything was begun is not kept.
 */
export async function serveWrite(context: Context, route: Route, write: Write): Promise<Response> {
  const key = keyedRequest(context, write.caller, readKey(write.headers), {
    method: route.method,
    path: write.path,
    body: write.body,
    canonicalBody: write.canonicalBody,
  });
  // Again only when the record that stood in the way ran out at that moment.
  for (let attempt = 0; attempt < 3; attempt++) {
    const response = route.takesKey
      ? await serveKeyTaker(context, route, write, key)
      : await serveWithReceipt(context, route, write, key);
    if (response !== undefined) return response;
    const kept = await findRunResponse(context, key);
    if (kept !== undefined) return toReplay(kept);
  }
  throw new ServiceError("unavailable", "The Idempotency-Key is being used. Try again.", {
    retryAfterSeconds: 1,
  });
}

/** The key is a UUID v4. Throws `idempotency_key_missing`, `idempotency_key_invalid`. */
export function readKey(headers: Headers): string {
  const key = headers.get("idempotency-key");
  if (key === null) {
    throw new ServiceError(
      "idempotency_key_missing",
      "Send a new UUID v4 in the Idempotency-Key header, and the same one when you try again.",
    );
  }
  if (!isUuidV4(key)) {
    throw new ServiceError("idempotency_key_invalid", "The Idempotency-Key must be a UUID v4.");
  }
  return key;
}

/** The handler takes the key with what it writes first. Undefined when the key was taken. */
async function serveKeyTaker(
  context: Context,
  route: Route,
  { caller, handle }: Write,
  key: KeyedRequest,
): Promise<Response | undefined> {
  try {
    return toResponse(toKept(route, await handle(caller, key), caller.requestId));
  } catch (error) {
    if (error instanceof KeyTakenError) return undefined;
    if (!(error instanceof ServiceError)) throw error;
    // A key that was used answers for its first request, whatever has become of the tool since.
    const kept = await findRunResponse(context, key);
    if (kept !== undefined) return toReplay(kept);
    if (!isKept(error)) throw error;
    const refusal = toProblem(error, caller.requestId);
    const receipt = await openReceipt(context, key, { present: () => refusal, isSecret: false });
    if (receipt === undefined) return undefined;
    await settleKey(context, key, refusal, false);
    return toResponse(refusal);
  }
}

/** The door takes the key, and the handler keeps its answer with what it changes. */
async function serveWithReceipt(
  context: Context,
  route: Route,
  { caller, handle }: Write,
  key: KeyedRequest,
): Promise<Response | undefined> {
  const isSecret = route.isSecret === true;
  const present = (result: unknown): KeptAnswer => {
    const headers = route.headersOf?.(result as never, context) ?? {};
    return toKept(route, { body: result, headers }, caller.requestId);
  };
  const receipt = await openReceipt(context, key, { present, isSecret });
  if (receipt === undefined) return undefined;
  try {
    const answer = await handle({ ...caller, receipt }, undefined);
    const kept = receipt.kept() ?? (await keepLate(context, route, key, answer, caller.requestId));
    return toResponse(kept);
  } catch (error) {
    await keepOrRelease(context, key, error, caller.requestId);
    throw error;
  }
}

/** For a handler that changes nothing that it could keep its answer with. */
async function keepLate(
  context: Context,
  route: Route,
  key: KeyedRequest,
  answer: Answer<unknown>,
  requestId: string,
): Promise<KeptAnswer> {
  const kept = toKept(route, answer, requestId);
  await settleKey(context, key, kept, route.isSecret === true);
  return kept;
}

/** After a failure the key is free again, unless the refusal is one that trying again would not change. */
async function keepOrRelease(
  context: Context,
  key: KeyedRequest,
  error: unknown,
  requestId: string,
): Promise<void> {
  const write = () =>
    error instanceof ServiceError && isKept(error)
      ? settleKey(context, key, toProblem(error, requestId), false)
      : releaseKey(context, key);
  await write().catch((cause: unknown) => {
    context.log.warn({ err: cause }, "an Idempotency-Key could not be let go yet");
    letGoLater(context, write);
  });
}

const letGoPauseMs = 2_000;

/** While the database is away, the key stays taken; it must not stay so for a day. */
function letGoLater(context: Context, write: () => Promise<void>): void {
  setTimeout(() => {
    if (context.cluster.isStopping) return;
    write().catch(() => letGoLater(context, write));
  }, letGoPauseMs).unref();
}

/** Answers that say that nothing was begun, or that another try may end otherwise. */
const neverKept = new Set([400, 401, 403, 413, 415, 429, 500, 503]);

function isKept(error: ServiceError): boolean {
  // Once the credential is there, the same request works.
  if (error.code === "credentials_missing") return false;
  return !neverKept.has(errorCodes[error.code].status);
}
