import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import { addressSubject } from "#core/limits";
import { newId } from "#lib/ids";
import type { Log } from "#lib/log";
import { createNetworks } from "#lib/networks";
import { toProblem } from "#rest";

/** A request whose body has not arrived whole. */
type Body = {
  request: IncomingMessage;
  response: ServerResponse;
  /** What the socket had read when the request began, and when it was looked at last. */
  startBytes: number;
  lastBytes: number;
  /** Time in which the service was ready to read and nothing came, and in which it was ready at all. */
  idleMs: number;
  readyMs: number;
};

type Connection = {
  body: Body | undefined;
  /** Bytes that the client has taken, those that wait for it, and for how long it took none. */
  sentBytes: number;
  queuedBytes: number;
  stalledMs: number;
};

type Needs = { config: Config; log: Log };

const maxTickMs = 1_000;
/** Whose requests a connection carries, by user ID. */
const owners = new WeakMap<Socket, string>();
const loopback = createNetworks(["127.0.0.0/8", "::1"]);

/** Counts what a connection's client leaves unread as this person's. */
export function noteOwner(socket: Socket, userId: string): void {
  owners.set(socket, userId);
}

/**
 * Ends connections that make no progress: bodies that stop arriving or drip, answers that nobody reads, headers
 * that never end. What moves, however long it takes, is left alone. Also bounds connections, in all and by address, and what
 * one person leaves unread.
 */
export function guardConnections(server: Server, { config, log }: Needs): { stop(): void } {
  const connections = new Map<Socket, Connection>();
  setTimeouts(server, config);
  boundConnections(server, config);
  server.on("connection", (socket) => {
    connections.set(socket, { body: undefined, sentBytes: 0, queuedBytes: 0, stalledMs: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  // Node itself would answer, and let the body come as it likes.
  server.on("checkExpectation", (_request, response) => {
    response.writeHead(417, { connection: "close" }).end();
  });
  // Before the application's own listener, so that no body is half read when it is first looked at.
  server.prependListener("request", (request, response) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.body = bodyOf(request, response);
  });
  const tickMs = tickOf(config);
  let lastTick = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // A process that was busy was not ready to read, so the client is not to blame for the time.
    const passedMs = Math.min(now - lastTick, 2 * tickMs);
    lastTick = now;
    for (const [socket, connection] of connections) {
      const { body } = connection;
      if (body !== undefined && isTooSlow(config, socket, body, passedMs)) {
        log.debug({ address: socket.remoteAddress }, "a request body arrived too slowly");
        connection.body = undefined;
        refuseBody(socket, body);
      } else if (isUnread(config, socket, connection, passedMs)) {
        log.debug({ address: socket.remoteAddress }, "a client did not read its answer");
        socket.destroy();
      } else if (body !== undefined && isOver(body)) connection.body = undefined;
    }
    for (const socket of beyondUnread(config, connections)) {
      log.debug({ address: socket.remoteAddress }, "a person's clients left too much unread");
      socket.destroy();
    }
  }, tickMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function setTimeouts(server: Server, config: Config): void {
  // Counts from the first byte, or from the connection where none comes.
  server.headersTimeout = config.HEADERS_TIMEOUT_MS;
  // Longer than load balancers keep idle connections, so that none sends a request into one that we just closed.
  server.keepAliveTimeout = config.KEEP_ALIVE_TIMEOUT_MS;
  // A total time would cut slow uploads that move, and let stalled ones stay until then.
  server.requestTimeout = 0;
}

/** Many clients share the address of a proxy, so those that are trusted, and this machine, are not bounded. */
function boundConnections(server: Server, config: Config): void {
  if (config.MAX_CONNECTIONS > 0) server.maxConnections = config.MAX_CONNECTIONS;
  const max = config.ADDRESS_MAX_CONNECTIONS;
  if (max === 0) return;
  const isTrustedProxy = createNetworks(config.TRUSTED_PROXIES);
  const counts = new Map<string, number>();
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    if (loopback(address) || isTrustedProxy(address)) return;
    const subject = addressSubject(address);
    const count = (counts.get(subject) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    counts.set(subject, count);
    socket.once("close", () => {
      const left = (counts.get(subject) ?? 1) - 1;
      if (left > 0) counts.set(subject, left);
      else counts.delete(subject);
    });
  });
}

function tickOf({ BODY_IDLE_TIMEOUT_MS: body, RESPONSE_IDLE_TIMEOUT_MS: answer }: Config): number {
  const shortest = Math.min(body || maxTickMs, answer || maxTickMs);
  return Math.min(maxTickMs, Math.max(50, shortest / 5));
}

function bodyOf(request: IncomingMessage, response: ServerResponse): Body | undefined {
  const { headers, socket } = request;
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (!hasBody) return undefined;
  const { bytesRead } = socket;
  const bytes = { startBytes: bytesRead, lastBytes: bytesRead };
  return { request, response, ...bytes, idleMs: 0, readyMs: 0 };
}

function isOver({ request }: Body): boolean {
  return request.complete || request.destroyed;
}

function isTooSlow(config: Config, socket: Socket, body: Body, passedMs: number): boolean {
  const { request } = body;
  // Node stops reading from the socket while as much is unread here: then the service is the slow one.
  if (isOver(body) || request.readableLength >= request.readableHighWaterMark) return false;
  const { bytesRead } = socket;
  body.idleMs = bytesRead > body.lastBytes ? 0 : body.idleMs + passedMs;
  body.readyMs += passedMs;
  body.lastBytes = bytesRead;
  const { BODY_IDLE_TIMEOUT_MS, BODY_GRACE_MS, BODY_MIN_BYTES_PER_SECOND } = config;
  if (BODY_IDLE_TIMEOUT_MS > 0 && body.idleMs >= BODY_IDLE_TIMEOUT_MS) return true;
  const expectedBytes = (BODY_MIN_BYTES_PER_SECOND * body.readyMs) / 1_000;
  return body.readyMs > BODY_GRACE_MS && bytesRead - body.startBytes < expectedBytes;
}

function isUnread(
  { RESPONSE_IDLE_TIMEOUT_MS: timeoutMs }: Config,
  socket: Socket,
  connection: Connection,
  passedMs: number,
): boolean {
  const waiting = socket.writableLength;
  if (timeoutMs === 0 || waiting === 0) {
    connection.stalledMs = 0;
    return false;
  }
  const sentBytes = socket.bytesWritten - waiting;
  const queuedBytes = bytesInSystem(socket);
  const hasMoved = sentBytes > connection.sentBytes || queuedBytes < connection.queuedBytes;
  connection.stalledMs = hasMoved ? 0 : connection.stalledMs + passedMs;
  connection.sentBytes = sentBytes;
  connection.queuedBytes = queuedBytes;
  return connection.stalledMs >= timeoutMs;
}

/** Connections of people whose answers take too much memory until they fit, those that took nothing for longest first. */
function beyondUnread(
  { USER_MAX_UNREAD_BYTES: max }: Config,
  connections: ReadonlyMap<Socket, Connection>,
): Socket[] {
  if (max === 0) return [];
  const unread = [...connections].filter(
    ([socket]) => !socket.destroyed && socket.writableLength > 0 && owners.has(socket),
  );
  return [...Map.groupBy(unread, ([socket]) => owners.get(socket)).values()].flatMap((own) => {
    let bytes = own.reduce((sum, [socket]) => sum + socket.writableLength, 0);
    if (bytes <= max) return [];
    const slowest = own.toSorted(([, one], [, other]) => other.stalledMs - one.stalledMs);
    return slowest.flatMap(([socket]) => {
      if (bytes <= max) return [];
      bytes -= socket.writableLength;
      return [socket];
    });
  });
}

/**
 * What the operating system has not taken yet of the chunk that is being written: a large chunk counts as sent only
 * when all of it is. Node has no public name for it, and where the field is missing only whole chunks count.
 */
function bytesInSystem(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return 0;
  const size: unknown = Reflect.get(handle, "writeQueueSize");
  return typeof size === "number" ? size : 0;
}

/** Answers past the application, which may be in the middle of reading, and closes the connection. */
function refuseBody(socket: Socket, { response }: Body): void {
  if (!response.headersSent && socket.writable) {
    const refusal = new ServiceError(
      "invalid_request",
      "The request body stopped arriving or arrived too slowly. Send it again.",
    );
    const { status, headers, body } = toProblem(refusal, newId());
    const text = body ?? "";
    const lines = Object.entries({
      ...headers,
      "content-length": String(Buffer.byteLength(text)),
      connection: "close",
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} Bad Request\r\n${lines.join("")}\r\n${text}`);
  }
  socket.destroySoon();
}
