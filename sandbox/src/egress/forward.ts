import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EgressLease, Permit } from "./egress-lease.ts";
import { headersIn, headersOut, pairsOf, valuesOf } from "./headers.ts";
import { meter } from "./meter.ts";
import { substituteInBody } from "./substitute-body.ts";
import { createRedactor, redactHeader, redactionOf } from "./redaction.ts";
import { EgressDeniedError } from "./egress-errors.ts";
import {
  substitute,
  substituteInHeader,
  secretsFor,
  secretsOf,
  withheldSecrets,
  type SecretsOfRun,
} from "./secrets.ts";
import type { Target } from "./target.ts";
import { upstreamFailure } from "./upstream-failure.ts";
import { guardBody, denyWithheldHead, denyWithheldHost } from "./withheld.ts";

/**
 * A request as it leaves, made from what the tool asked for and nothing else of ours. Whatever is to
 * stand in it in the place of something that the tool wrote is put in where it is made, `outgoingFrom`.
 */
type Outgoing = {
  method: string;
  path: string;
  /** Names and values in a flat list. */
  headers: string[];
  body: Readable | Buffer | null;
};

/** An answer as it came. What must not reach the tool is taken out where it is passed on, `relay`. */
type Incoming = {
  statusCode: number;
  statusText: string;
  headers: string[];
  body: Readable;
};

/** Sends a tool's request where it goes and streams the answer back. Throws what a lease throws. */
export async function forward(
  lease: EgressLease,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const controller = new AbortController();
  // The tool, or its whole process, no longer waits for the answer.
  response.once("close", () => controller.abort());
  const withheld = withheldSecrets(await secretsOf(lease.policy), target);
  denyWithheldHost(withheld, target, (name, reason) => lease.deny(name, reason));
  const head = { path: target.path, headers: headersOut(request.rawHeaders) };
  // Before the name is looked up, which tells others that there is a request.
  const vet = () => denyWithheldHead(head, withheld, target);
  await lease.letOut(target, { controller, vet }, async (permit) => {
    const { addresses } = permit;
    const { connectionGroup } = lease.holder;
    const { connectMs } = lease.policy.limits;
    const connection = lease.network.connections.acquire({
      connectionGroup,
      target,
      addresses,
      connectMs,
    });
    try {
      const secrets = await secretsOf(lease.policy);
      const outgoing = await outgoingFrom(request, target, permit, secrets);
      const answer = await connection.pool.request({
        ...outgoing,
        signal: controller.signal,
        responseHeaders: "raw",
      });
      const headers = rawHeaders(answer.headers);
      const { bytesReceived: maxBytes } = lease.policy.limits;
      await relay({ ...answer, headers }, { permit, target, secrets, maxBytes }, response);
    } catch (error) {
      if (error instanceof EgressDeniedError) {
        if (response.headersSent) lease.cutReason = error.message;
        throw error;
      }
      throw upstreamFailure(target, error);
    } finally {
      connection.release();
    }
  });
}

/**
 * Headers that ask for answers in which a value could not be found: packed in ways that we cannot undo, or in
 * parts that are each shorter than the value. Toward hosts that may know one they are left out.
 */
const UNCLEANABLE = /^(?:accept-encoding|range|if-range)$/i;

async function outgoingFrom(
  request: IncomingMessage,
  target: Target,
  permit: Permit,
  secrets: SecretsOfRun,
): Promise<Outgoing> {
  const { method = "GET", rawHeaders: raw } = request;
  const body = bodyOf(request, permit);
  const headers = headersOut(raw);
  if (secrets.length === 0) return { method, path: target.path, headers, body };
  const dropped = secretsFor(secrets, target).length === 0 ? /^accept-encoding$/i : UNCLEANABLE;
  const filled = pairsOf(headers)
    .filter(([name]) => !dropped.test(name))
    .map(([name, value]) => [name, substituteInHeader(value, secrets, target)] as const);
  const path = substitute(target.path, "url", secrets, target);
  // What comes back has to be looked into, so it must not be packed in a way that we cannot undo.
  const rest = [...filled, ["accept-encoding", "gzip, br"] as const];
  if (body === null) return { method, path, headers: rest.flat(), body };
  const type = valuesOf(raw, "content-type")[0] ?? "";
  const [length] = valuesOf(raw, "content-length");
  const withheld = withheldSecrets(secrets, target);
  const guarded = await guardBody(body, {
    withheld,
    target,
    ...(length === undefined ? {} : { length }),
  });
  const substituted = await substituteInBody(guarded, { type, length, secrets, target });
  const isMeasured = substituted === guarded;
  const kept = rest.filter(([name]) => isMeasured || name.toLowerCase() !== "content-length");
  return { method, path, headers: kept.flat(), body: substituted };
}

function bodyOf(request: IncomingMessage, permit: Permit): Readable | null {
  const [length] = valuesOf(request.rawHeaders, "content-length");
  const isChunked = valuesOf(request.rawHeaders, "transfer-encoding").length > 0;
  if (!isChunked && (length === undefined || length === "0")) return null;
  permit.sent.expect(Number(length ?? 0));
  const metered = meter(permit.sent.count);
  metered.on("error", () => {});
  request.once("close", () => {
    if (!request.complete) metered.destroy();
  });
  // Not `pipeline`, which would take the connection down with a body that is cut.
  return request.pipe(metered);
}

type Passage = {
  permit: Permit;
  target: Target;
  secrets: SecretsOfRun;
  /** What an answer may unpack to. */
  maxBytes: number;
};

/** Streams an answer to the tool as it came, but for headers that are not meant for it. */
async function relay(
  answer: Incoming,
  { permit, target, secrets, maxBytes }: Passage,
  response: ServerResponse,
): Promise<void> {
  const { statusCode, statusText, body } = answer;
  body.on("error", () => {});
  response.sendDate = false;
  response.strictContentLength = true;
  response.removeHeader("connection");
  let stages: Transform[] = [];
  // All that it says of it counts, or one word could hide another.
  const packing = valuesOf(answer.headers, "content-encoding").join(", ");
  try {
    const hasBody = response.req.method !== "HEAD" && statusCode !== 204 && statusCode !== 304;
    if (hasBody) {
      const [length = 0] = valuesOf(answer.headers, "content-length");
      permit.received.expect(Number(length));
    }
    if (hasBody && secrets.length > 0) {
      stages = redactionOf(packing, secrets, target.name, maxBytes);
    }
    const headers = headersIn(answer.headers);
    response.writeHead(
      statusCode,
      secrets.length === 0 ? statusText : redactHeader(createRedactor(secrets), statusText),
      secrets.length === 0 ? headers : redactedHeaders(headers, secrets),
    );
  } catch (error) {
    body.destroy();
    throw error;
  }
  response.flushHeaders();
  await pipeline([body, meter(permit.received.count), ...stages, response]);
}

/** Headers without secrets, and without what is no longer so of a body that was unpacked and changed. */
function redactedHeaders(headers: string[], secrets: SecretsOfRun): string[] {
  const redact = createRedactor(secrets);
  return pairsOf(headers)
    .filter(([name]) => !/^content-(?:length|encoding|md5)$|^digest$/i.test(name))
    .filter(([name]) => !secrets.some(({ value }) => isWithin(name, value)))
    .flatMap(([name, value]) => [name, redactHeader(redact, value)]);
}

/** Names of headers are written in small letters on their way. */
function isWithin(name: string, value: string): boolean {
  return name.toLowerCase().includes(value.toLowerCase());
}

/** Asked for raw headers, the client answers with them where its type says otherwise. */
function rawHeaders(headers: unknown): string[] {
  if (!Array.isArray(headers)) throw new TypeError("The headers are not raw");
  return headers.map(String);
}
