import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

const guilds = 1;
const guildMessages = 512;
const messageContent = 32_768;
const contentFlags = (1 << 18) | (1 << 19);

type Told = { op: 0; s: number; t: string; d: Record<string, unknown> };

type FakeSession = {
  id: string;
  intents: number;
  told: Told[];
  isOver: boolean;
  socket: WebSocket | undefined;
};

/** A fake Discord gateway: strict about tokens, intents, heartbeats and sequence numbers; can drop sessions on demand. */
export type FakeGateway = {
  /** What clients did, in order: `identify`, `resume 4`, and `closed 4900` where they ended it. */
  log: string[];
  /** What a good client would not do. */
  wrong: string[];
  sessions: FakeSession[];
  heartbeatMs: number;
  answersBeats: boolean;
  /** The flags of the application. */
  flags: number;
  /** What the limit of sessions says. */
  remaining: number;
  /** Closes connections that identify themselves, with this code. */
  refusal: number | undefined;
  /** What is said to be its address. */
  address: string | undefined;
  /** Sends an event to all sessions; disconnected ones receive it when they resume. */
  tell(kind: string, data: Record<string, unknown>): void;
  /** Sends something else to all that are connected; a text as it is. */
  send(frame: object | string): void;
  /** Ends the connections: without a word, or with a code. */
  cut(code?: number): void;
  /** Forgets the sessions. */
  forget(): void;
  /** How many are connected and let in. */
  connected(): number;
};

type Known = { botToken: string; botUserId: string; baseUrl: string };

/** Begins to answer as the gateway on a server of HTTP. */
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
    tell: (kind, data) => {
      for (const session of gateway.sessions.filter(({ isOver }) => !isOver)) {
        tell(session, known, kind, data);
      }
    },
    send: (frame) => sockets.clients.forEach((socket) => say(socket, frame)),
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

function say(socket: WebSocket, frame: object | string): void {
  socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
}

function tell(session: FakeSession, { botUserId }: Known, kind: string, data: Told["d"]): void {
  const isHidden =
    kind.startsWith("MESSAGE_") &&
    (session.intents & messageContent) === 0 &&
    !JSON.stringify(data["mentions"] ?? []).includes(botUserId);
  const d = isHidden ? { ...data, content: "", attachments: [] } : data;
  const told: Told = { op: 0, s: session.told.length + 1, t: kind, d };
  session.told.push(told);
  if (session.socket !== undefined) say(session.socket, told);
}

type GatewayMessage = { op: number; d: Record<string, unknown> };

function greet(gateway: FakeGateway, known: Known, socket: WebSocket): void {
  let session: FakeSession | undefined;
  say(socket, { op: 10, d: { heartbeat_interval: gateway.heartbeatMs } });
  socket.on("message", (data: Buffer) => {
    const { op, d } = JSON.parse(data.toString()) as GatewayMessage;
    if (op === 1) {
      checkBeat(gateway, session, d);
      if (gateway.answersBeats) say(socket, { op: 11 });
    } else if (d["token"] !== known.botToken) {
      gateway.wrong.push("token");
      socket.close(4_004);
    } else if (gateway.refusal !== undefined) {
      gateway.log.push(op === 2 ? "identify" : "resume");
      socket.close(gateway.refusal);
    } else if (op === 2) session = begin(gateway, known, socket, d);
    else if (op === 6) session = goOn(gateway, socket, d);
    else gateway.wrong.push(`opcode ${op}`);
  });
  socket.on("close", (code: number) => {
    gateway.log.push(`closed ${code}`);
    if (session?.socket === socket) session.socket = undefined;
  });
}

/** A beat says what was heard last. */
function checkBeat({ wrong }: FakeGateway, session: FakeSession | undefined, last: unknown): void {
  const most = session?.told.length ?? 0;
  const isExpected =
    last === null || (typeof last === "number" && (session === undefined || last <= most));
  if (!isExpected) wrong.push(`beat ${JSON.stringify(last)} of ${most}`);
}

function begin(
  gateway: FakeGateway,
  known: Known,
  socket: WebSocket,
  asked: GatewayMessage["d"],
): FakeSession | undefined {
  gateway.log.push("identify");
  gateway.remaining -= 1;
  if (gateway.remaining < 0) gateway.wrong.push("too many sessions");
  const intents = Number(asked["intents"]);
  const wanted = guilds | guildMessages;
  if ((intents & ~messageContent) !== wanted) gateway.wrong.push(`intents ${intents}`);
  if ((intents & messageContent) !== 0 && (gateway.flags & contentFlags) === 0) {
    socket.close(4_014);
    return undefined;
  }
  const session: FakeSession = { id: randomUUID(), intents, told: [], isOver: false, socket };
  gateway.sessions.push(session);
  const { botUserId: id, baseUrl } = known;
  tell(session, known, "READY", {
    v: 10,
    session_id: session.id,
    resume_gateway_url: baseUrl.replace(/^http/, "ws"),
    user: { id, bot: true, username: "toolhost" },
    guilds: [],
  });
  return session;
}

function goOn(
  gateway: FakeGateway,
  socket: WebSocket,
  { session_id: id, seq }: GatewayMessage["d"],
): FakeSession | undefined {
  gateway.log.push(`resume ${String(seq)}`);
  const session = gateway.sessions.find((one) => one.id === id && !one.isOver);
  if (session === undefined || Number(seq) > session.told.length) {
    say(socket, { op: 9, d: false });
    return undefined;
  }
  // Two connections with one session: the older has to go.
  session.socket?.close(4_000);
  session.socket = socket;
  session.told.filter(({ s }) => s > Number(seq)).forEach((told) => say(socket, told));
  const resumed: Told = { op: 0, s: session.told.length + 1, t: "RESUMED", d: {} };
  session.told.push(resumed);
  say(socket, resumed);
  return session;
}
