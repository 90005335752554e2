import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EgressLease, Permit } from "./egress-lease.ts";
import { headersIn, headersOut, pairsOf, valuesOf } from "./headers.ts";
import { lastMessageOf, sendLastMessage } from "./last-message.ts";
import { meter } from "./meter.ts";
import { RequestReport } from "./observation.ts";
import { substituteInBody } from "./substitute-body.ts";
import { createRedactor, redactHeader, redactionOf } from "./redaction.ts";
import { EgressDeniedError } from "./egress-errors.ts";
import type { NamedValue } from "./secret.ts";
import {
  redactedValues,
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

/** A request as it is sent: what the tool requested, with secrets substituted by `outgoingFrom`. */
type Outgoing = {
  method: string;
  path: string;
  /** Names and values as a flat list. */
  headers: string[];
  body: Readable | Buffer | null;
};

/** A response as it was received. `relay` removes what must not reach the tool. */
type Incoming = {
  statusCode: number;
  statusText: string;
  headers: string[];
  body: Readable;
};

/** Sends a tool's request to its target and streams the response back. Throws what `EgressLease` throws. */
export async function forward(
  lease: EgressLease,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const report = new RequestReport(lease.policy.observe);
  try {
    await send(lease, { target, report }, request, response);
    report.end();
  } catch (error) {
    report.end(error);
    throw error;
  }
}

async function send(
  lease: EgressLease,
  { target, report }: { target: Target; report: RequestReport },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const controller = new AbortController();
  // The tool, or its process, no longer waits for the response.
  response.once("close", () => controller.abort());
  const withheld = withheldSecrets(await secretsOf(lease.policy), target);
  denyWithheldHost(withheld, target, (name, reason) => lease.deny(name, reason));
  const lastMessage = lastMessageOf(request.rawHeaders);
  const written = [...headersOut(request.rawHeaders), "x-last-message", lastMessage ?? ""];
  const head = { path: target.path, headers: written };
  // Before the DNS lookup, which would reveal the request to others.
  const vet = () => {
    denyWithheldHead(head, withheld, target);
    report.start(request.method ?? "GET", target);
  };
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
    let forget: (() => void) | undefined;
    try {
      const secrets = await secretsOf(lease.policy);
      const outgoing = await outgoingFrom(request, target, permit, secrets);
      const headers = report.headersFrom(outgoing.headers);
      if (lastMessage !== undefined) {
        const message = { ...outgoing, headers, text: lastMessage };
        forget = lease.onEnd(() => void sendLastMessage(connection, message, permit));
      }
      const answer = await connection.pool.request({
        ...outgoing,
        headers,
        signal: controller.signal,
        responseHeaders: "raw",
      });
      report.status = answer.statusCode;
      const received = { ...answer, headers: rawHeaders(answer.headers) };
      noteRefusal(request, target, secrets, received);
      const { bytesReceived: maxBytes } = lease.policy.limits;
      await relay(received, { permit, target, secrets, maxBytes }, response);
    } catch (error) {
      if (error instanceof EgressDeniedError) {
        if (response.headersSent) lease.cutReason = error.message;
        throw error;
      }
      throw upstreamFailure(target, error);
    } finally {
      forget?.();
      connection.release();
    }
  });
}

/** Reports a refused request to the secrets in its headers. */
function noteRefusal(
  { rawHeaders: sent }: IncomingMessage,
  target: Target,
  secrets: SecretsOfRun,
  { statusCode, headers }: Incoming,
): void {
  if (statusCode !== 401 && statusCode !== 403) return;
  const url = `${target.scheme}//${target.name}${target.path}`;
  const challenge = valuesOf(headers, "www-authenticate").join(", ");
  for (const { placeholder, onRefused } of secretsFor(secrets, target)) {
    if (onRefused === undefined || !sent.some((value) => value.includes(placeholder))) continue;
    onRefused({ url, status: statusCode, challenge });
  }
}

/**
 * Headers that request responses in which a secret could not be found: with an unsupported content encoding, or in
 * ranges shorter than the secret. Requests to hosts that may know a secret are sent without them.
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
  // The response must be searched for secrets, so only content encodings that can be decoded are accepted.
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
  const selected = rest.filter(([name]) => isMeasured || name.toLowerCase() !== "content-length");
  return { method, path, headers: selected.flat(), body: substituted };
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
  // Not `pipeline`, which would close the connection when the body is cut off.
  return request.pipe(metered);
}

type Passage = {
  permit: Permit;
  target: Target;
  secrets: SecretsOfRun;
  /** Maximum size of the decompressed response. */
  maxBytes: number;
};

/** Streams a response to the tool, without secrets and without headers that are not meant for it. */
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
  const values = redactedValues(secrets);
  let stages: Transform[] = [];
  // All values count, so that one cannot hide another.
  const contentEncoding = valuesOf(answer.headers, "content-encoding").join(", ");
  try {
    const hasBody = response.req.method !== "HEAD" && statusCode !== 204 && statusCode !== 304;
    if (hasBody) {
      const [length = 0] = valuesOf(answer.headers, "content-length");
      permit.received.expect(Number(length));
    }
    if (hasBody && secrets.length > 0) {
      stages = redactionOf(contentEncoding, values, target.name, maxBytes);
    }
    const headers = headersIn(answer.headers);
    response.writeHead(
      statusCode,
      secrets.length === 0 ? statusText : redactHeader(createRedactor(values), statusText),
      secrets.length === 0 ? headers : redactedHeaders(headers, values),
    );
  } catch (error) {
    body.destroy();
    throw error;
  }
  response.flushHeaders();
  await pipeline([body, meter(permit.received.count), ...stages, response]);
}

/** Headers without secrets, and without headers that no longer match the decompressed and redacted body. */
function redactedHeaders(headers: string[], secrets: readonly NamedValue[]): string[] {
  const redact = createRedactor(secrets);
  return pairsOf(headers)
    .filter(([name]) => !/^content-(?:length|encoding|md5)$|^digest$/i.test(name))
    .filter(([name]) => !secrets.some(({ value }) => isWithin(name, value)))
    .flatMap(([name, value]) => [name, redactHeader(redact, value)]);
}

/** Header names are lowercased in transit. */
function isWithin(name: string, value: string): boolean {
  return name.toLowerCase().includes(value.toLowerCase());
}

/** With `responseHeaders: "raw"`, undici returns a flat list, although its types say otherwise. */
function rawHeaders(headers: unknown): string[] {
  if (!Array.isArray(headers)) throw new TypeError("The headers are not raw");
  return headers.map(String);
}
