import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

const guilds = 1;
const guildMessages = 512;
const messageContent = 32_768;
const contentFlags = (1 << 18) | (1 << 19);

type Dispatch = { op: 0; s: number; t: string; d: Record<string, unknown> };

type FakeSession = {
  id: string;
  intents: number;
  events: Dispatch[];
  isOver: boolean;
  socket: WebSocket | undefined;
};

/** A fake Discord gateway: strict about tokens, intents, heartbeats and sequence numbers; can drop sessions on demand. */
export type FakeGateway = {
  /** The actions of clients, in order: `identify`, `resume 4`, and `closed 4900` if a client closed the connection. */
  log: string[];
  /** Violations of the protocol by clients. */
  wrong: string[];
  sessions: FakeSession[];
  heartbeatMs: number;
  answersBeats: boolean;
  /** The flags of the application. */
  flags: number;
  /** The remaining sessions of the limit. */
  remaining: number;
  /** Closes connections with this code when they identify themselves. */
  refusal: number | undefined;
  /** The gateway URL to return instead of its own. */
  address: string | undefined;
  /** Sends an event to all sessions; disconnected ones receive it when they resume. */
  dispatch(kind: string, data: Record<string, unknown>): void;
  /** Sends another frame to all connections; strings are sent unchanged. */
  send(frame: object | string): void;
  /** Ends the connections, with a close code if given. */
  cut(code?: number): void;
  /** Ends the sessions, so that they cannot be resumed. */
  forget(): void;
  /** The number of connections with a session. */
  connected(): number;
};

type Known = { botToken: string; botUserId: string; baseUrl: string };

/** Adds the gateway to an HTTP server. */
export function addFakeGateway(server: Server, known: Known): FakeGateway {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload: 4_096 });
  const gateway: FakeGateway = {
    log: [],
    wrong: [],
    sessions: [],
    heartbeatMs: 40_000,
    answersBeats: true,
    flags: 0,
    remaining: 1_000,
    refusal: undefined,
    address: undefined,
    dispatch: (kind, data) => {
      for (const session of gateway.sessions.filter(({ isOver }) => !isOver)) {
        dispatch(session, known, kind, data);
      }
    },
    send: (frame) => sockets.clients.forEach((socket) => sendFrame(socket, frame)),
    cut: (code) =>
      sockets.clients.forEach((socket) =>
        code === undefined ? socket.terminate() : socket.close(code),
      ),
    forget: () => {
      for (const session of gateway.sessions) session.isOver = true;
    },
    connected: () => gateway.sessions.filter(({ socket }) => socket !== undefined).length,
  };
  sockets.on("connection", (socket, request) => {
    if (request.url !== "/?v=10&encoding=json") gateway.wrong.push(`address ${request.url}`);
    greet(gateway, known, socket);
  });
  return gateway;
}

function sendFrame(socket: WebSocket, frame: object | string): void {
  socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
}

function dispatch(
  session: FakeSession,
  { botUserId }: Known,
  kind: string,
  data: Dispatch["d"],
): void {
  const isHidden =
    kind.startsWith("MESSAGE_") &&
    (session.intents & messageContent) === 0 &&
    !JSON.stringify(data["mentions"] ?? []).includes(botUserId);
  const d = isHidden ? { ...data, content: "", attachments: [] } : data;
  const event: Dispatch = { op: 0, s: session.events.length + 1, t: kind, d };
  session.events.push(event);
  if (session.socket !== undefined) sendFrame(session.socket, event);
}

type GatewayMessage = { op: number; d: Record<string, unknown> };

function greet(gateway: FakeGateway, known: Known, socket: WebSocket): void {
  let session: FakeSession | undefined;
  sendFrame(socket, { op: 10, d: { heartbeat_interval: gateway.heartbeatMs } });
  socket.on("message", (data: Buffer) => {
    const { op, d } = JSON.parse(data.toString()) as GatewayMessage;
    if (op === 1) {
      checkBeat(gateway, session, d);
      if (gateway.answersBeats) sendFrame(socket, { op: 11 });
    } else if (d["token"] !== known.botToken) {
      gateway.wrong.push("token");
      socket.close(4_004);
    } else if (gateway.refusal !== undefined) {
      gateway.log.push(op === 2 ? "identify" : "resume");
      socket.close(gateway.refusal);
    } else if (op === 2) session = identify(gateway, known, socket, d);
    else if (op === 6) session = resume(gateway, socket, d);
    else gateway.wrong.push(`opcode ${op}`);
  });
  socket.on("close", (code: number) => {
    gateway.log.push(`closed ${code}`);
    if (session?.socket === socket) session.socket = undefined;
  });
}

/** A heartbeat contains the last sequence number that was received. */
function checkBeat({ wrong }: FakeGateway, session: FakeSession | undefined, last: unknown): void {
  const count = session?.events.length ?? 0;
  const isExpected =
    last === null || (typeof last === "number" && (session === undefined || last <= count));
  if (!isExpected) wrong.push(`beat ${JSON.stringify(last)} of ${count}`);
}

function identify(
  gateway: FakeGateway,
  known: Known,
  socket: WebSocket,
  asked: GatewayMessage["d"],
): FakeSession | undefined {
  gateway.log.push("identify");
  gateway.remaining -= 1;
  if (gateway.remaining < 0) gateway.wrong.push("too many sessions");
  const intents = Number(asked["intents"]);
  const required = guilds | guildMessages;
  if ((intents & ~messageContent) !== required) gateway.wrong.push(`intents ${intents}`);
  if ((intents & messageContent) !== 0 && (gateway.flags & contentFlags) === 0) {
    socket.close(4_014);
    return undefined;
  }
  const session: FakeSession = { id: randomUUID(), intents, events: [], isOver: false, socket };
  gateway.sessions.push(session);
  const { botUserId: id, baseUrl } = known;
  dispatch(session, known, "READY", {
    v: 10,
    session_id: session.id,
    resume_gateway_url: baseUrl.replace(/^http/, "ws"),
    user: { id, bot: true, username: "toolhost" },
    guilds: [],
  });
  return session;
}

function resume(
  gateway: FakeGateway,
  socket: WebSocket,
  { session_id: id, seq }: GatewayMessage["d"],
): FakeSession | undefined {
  gateway.log.push(`resume ${String(seq)}`);
  const session = gateway.sessions.find((one) => one.id === id && !one.isOver);
  if (session === undefined || Number(seq) > session.events.length) {
    sendFrame(socket, { op: 9, d: false });
    return undefined;
  }
  // Discord closes the older of two connections with one session.
  session.socket?.close(4_000);
  session.socket = socket;
  session.events.filter(({ s }) => s > Number(seq)).forEach((event) => sendFrame(socket, event));
  const resumed: Dispatch = { op: 0, s: session.events.length + 1, t: "RESUMED", d: {} };
  session.events.push(resumed);
  sendFrame(socket, resumed);
  return session;
}
