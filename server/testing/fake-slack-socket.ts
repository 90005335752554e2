import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

/** Slack's side of Socket Mode. */
export type FakeSocket = {
  appToken: string;
  /** Whether the app has Socket Mode turned on, so that nothing is sent to its webhooks. */
  isOn: boolean;
  /** The error of `apps.connections.open`. */
  refusal: string | undefined;
  /** The URLs that were issued and not used. */
  tickets: Set<string>;
  connections: Set<WebSocket>;
  /** How many connections were opened so far. */
  opened: number;
  /** Envelopes that wait for their acknowledgement. */
  waiting: Map<string, Waiting>;
  /** What the next connections do with an acknowledgement: lose it, and end. */
  lostAcknowledgements: number;
};

type Waiting = { acceptsPayload: boolean; resolve: (payload: unknown) => void };

type Refusals = { refusals: string[] };

export function createFakeSocket(): FakeSocket {
  return {
    appToken: `xapp-1-${randomUUID()}`,
    isOn: false,
    refusal: undefined,
    tickets: new Set(),
    connections: new Set(),
    opened: 0,
    waiting: new Map(),
    lostAcknowledgements: 0,
  };
}

/** Slack's limit of connections per app. */
const maxConnections = 10;

/** Answers `apps.connections.open`. */
export function issueSocketUrl(
  socket: FakeSocket,
  { headers }: IncomingMessage,
  baseUrl: string,
): string | { url: string } {
  if (headers.authorization?.startsWith("Bearer xapp-") !== true) return "not_allowed_token_type";
  if (headers.authorization !== `Bearer ${socket.appToken}`) return "invalid_auth";
  if (!socket.isOn) return "forbidden";
  if (socket.refusal !== undefined) return socket.refusal;
  const ticket = `/link/?ticket=${randomUUID()}`;
  socket.tickets.add(ticket);
  return { url: `${baseUrl.replace(/^http/, "ws")}${ticket}` };
}

/** Accepts connections on the server of the fake. */
export function serveSockets(server: Server, state: Refusals & { socket: FakeSocket }): void {
  const { socket, refusals } = state;
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload: 100_000 });
  sockets.on("connection", (connection, request) => {
    const isIssued = socket.tickets.delete(request.url ?? "");
    if (!isIssued) refusals.push(`Socket Mode: the URL ${request.url} was not issued`);
    if (!isIssued || socket.connections.size >= maxConnections) return connection.close();
    socket.connections.add(connection);
    socket.opened += 1;
    connection.on("close", () => socket.connections.delete(connection));
    connection.on("message", (data: Buffer) => takeAcknowledgement(state, connection, data));
    const num_connections = socket.connections.size;
    connection.send(JSON.stringify({ type: "hello", num_connections, connection_info: {} }));
    return undefined;
  });
}

type Acknowledgement = { envelope_id?: string; payload?: object };

function takeAcknowledgement(
  { socket, refusals }: Refusals & { socket: FakeSocket },
  connection: WebSocket,
  data: Buffer,
): void {
  if (socket.lostAcknowledgements > 0) {
    socket.lostAcknowledgements -= 1;
    connection.terminate();
    return;
  }
  const { envelope_id: id = "", payload = {} } = JSON.parse(data.toString()) as Acknowledgement;
  const waiting = socket.waiting.get(id);
  socket.waiting.delete(id);
  if (waiting === undefined) refusals.push("Socket Mode: acknowledged an unknown envelope");
  if (waiting?.acceptsPayload === false && Object.keys(payload).length > 0) {
    refusals.push("Socket Mode: a payload for an event that accepts none");
  }
  waiting?.resolve(payload);
}

const paths: Readonly<Record<string, { type: string; read: (body: string) => unknown }>> = {
  "/bot/slack/events": { type: "events_api", read: (body) => JSON.parse(body) as unknown },
  "/bot/slack/interactions": {
    type: "interactive",
    read: (body) => JSON.parse(new URLSearchParams(body).get("payload") ?? "") as unknown,
  },
  "/bot/slack/commands": {
    type: "slash_commands",
    read: (body) => Object.fromEntries(new URLSearchParams(body)),
  },
};

const acknowledgeMs = 3_000;
const maxAttempts = 5;

/**
 * Sends what a webhook would get over a connection, and returns its payload. Events are repeated until they are
 * acknowledged; commands and interactions are not.
 */
export async function sendOverSocket(
  socket: FakeSocket,
  path: string,
  body: string,
): Promise<{ status: number; text: string }> {
  const { type, read } = paths[path] ?? { type: "unknown", read: () => ({}) };
  const acceptsPayload = type !== "events_api";
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const id = randomUUID();
    const connection = await findConnection(socket);
    const acknowledged = new Promise<unknown>((resolve) => {
      socket.waiting.set(id, { acceptsPayload, resolve });
    });
    const retry = { retry_attempt: attempt, retry_reason: attempt === 0 ? "" : "timeout" };
    const sent = { envelope_id: id, type, payload: read(body), ...retry };
    connection.send(JSON.stringify({ ...sent, accepts_response_payload: acceptsPayload }));
    const payload = await Promise.race([acknowledged, sleep(acknowledgeMs)]);
    const text = JSON.stringify(payload ?? {});
    if (payload !== undefined) return { status: 200, text: text === "{}" ? "" : text };
    socket.waiting.delete(id);
    if (acceptsPayload) break;
  }
  return { status: 504, text: "operation_timeout" };
}

async function findConnection({ connections }: FakeSocket): Promise<WebSocket> {
  for (let waited = 0; waited < 300; waited++) {
    const connection = [...connections].at(-1);
    if (connection !== undefined) return connection;
    await sleep(50);
  }
  throw new Error("The app has no connection");
}

/** Asks the app to open another connection, as Slack does every few hours. */
export function refreshSockets({ connections }: FakeSocket): void {
  const frame = JSON.stringify({ type: "disconnect", reason: "refresh_requested" });
  for (const connection of connections) connection.send(frame);
}
