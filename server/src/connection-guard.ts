import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import { addressSubject } from "#core/limits";
import { newId } from "#lib/ids";
import type { Log } from "#lib/log";
import { createNetworks } from "#lib/networks";
import { toProblem } from "#rest";

/** A request whose body is still arriving. */
type Body = {
  request: IncomingMessage;
  response: ServerResponse;
  /** Bytes read from the socket when the request started and at the last check. */
  startBytes: number;
  lastBytes: number;
  /** Time in which the service was ready to read but received nothing, and in which it was ready to read at all. */
  idleMs: number;
  readyMs: number;
};

type Connection = {
  body: Body | undefined;
  /** Bytes that the client has read, bytes that wait for it, and how long it has read none. */
  sentBytes: number;
  queuedBytes: number;
  stalledMs: number;
};

type Needs = { config: Config; log: Log };

const maxTickMs = 1_000;
/** The user ID of the requests on a connection. */
const owners = new WeakMap<Socket, string>();
const loopback = createNetworks(["127.0.0.0/8", "::1"]);

/** Counts the unread bytes of a connection toward this user's limit. */
export function noteOwner(socket: Socket, userId: string): void {
  owners.set(socket, userId);
}

/**
 * Closes connections that make no progress: bodies that stall or arrive too slowly, responses that the client does not read,
 * and headers that never end. Slow connections that make progress are not closed. Also limits the number of connections, in
 * total and per IP address, and the unread bytes per user.
 */
export function guardConnections(server: Server, { config, log }: Needs): { stop(): void } {
  const connections = new Map<Socket, Connection>();
  setTimeouts(server, config);
  boundConnections(server, config);
  server.on("connection", (socket) => {
    connections.set(socket, { body: undefined, sentBytes: 0, queuedBytes: 0, stalledMs: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  // By default Node sends 100 Continue itself, and the body would not be checked.
  server.on("checkExpectation", (_request, response) => {
    response.writeHead(417, { connection: "close" }).end();
  });
  // Before the application's listener, so that the count starts before the body is read.
  server.prependListener("request", (request, response) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.body = bodyOf(request, response);
  });
  const tickMs = tickOf(config);
  let lastTick = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // While the process was busy it was not ready to read, so that time does not count against the client.
    const passedMs = Math.min(now - lastTick, 2 * tickMs);
    lastTick = now;
    for (const [socket, connection] of connections) {
      const { body } = connection;
      if (body !== undefined && isTooSlow(config, socket, body, passedMs)) {
        log.debug({ address: socket.remoteAddress }, "request body arrived too slowly");
        connection.body = undefined;
        refuseBody(socket, body);
      } else if (isUnread(config, socket, connection, passedMs)) {
        log.debug({ address: socket.remoteAddress }, "client did not read its response");
        socket.destroy();
      } else if (body !== undefined && isOver(body)) connection.body = undefined;
    }
    for (const socket of beyondUnread(config, connections)) {
      log.debug({ address: socket.remoteAddress }, "user exceeded the limit of unread bytes");
      socket.destroy();
    }
  }, tickMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function setTimeouts(server: Server, config: Config): void {
  // Starts with the first byte, or with the connection if none arrives.
  server.headersTimeout = config.HEADERS_TIMEOUT_MS;
  // Longer than the idle timeout of load balancers, so that none sends a request on a connection that was just closed.
  server.keepAliveTimeout = config.KEEP_ALIVE_TIMEOUT_MS;
  // A total timeout would close slow uploads that make progress, and would detect stalled ones too late.
  server.requestTimeout = 0;
}

/** Limits connections. Trusted proxies and this machine are exempt, because many clients share their addresses. */
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
  // Node stops reading from the socket at this mark; then the service is slow and not the client.
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

/** The connections to close so that the unread bytes of each user fit the limit, longest stalled first. */
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
 * The bytes of the current chunk that the operating system has not accepted yet. Node counts a chunk as sent only when all
 * of it is. This field is not public; without it, only whole chunks count as progress.
 */
function bytesInSystem(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return 0;
  const size: unknown = Reflect.get(handle, "writeQueueSize");
  return typeof size === "number" ? size : 0;
}

/** Responds without the application, which may still be reading the body, and closes the connection. */
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
