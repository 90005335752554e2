import type { WebSocketServer } from "ws";
import { mattermostId } from "./fake-mattermost-state.ts";
import type { FakeMattermost } from "./fake-mattermost-state.ts";

type Frame = { seq?: number; action?: string; data?: { token?: string } };

/** Serves Mattermost's socket: authentication first, numbered events, and sessions that can be resumed. */
export function serveEvents(server: WebSocketServer, state: FakeMattermost): void {
  const { socket, refusals } = state;
  server.on("connection", (connection, request) => {
    const url = new URL(request.url ?? "/", state.baseUrl);
    if (url.pathname !== "/api/v4/websocket") refusals.push(`socket: ${url.pathname}`);
    socket.connections.add(connection);
    let id = "";
    let requests = 0;
    const send = (event: object) => connection.send(JSON.stringify(event));
    connection.on("message", (data: Buffer) => {
      const { seq, action, data: given } = JSON.parse(data.toString()) as Frame;
      requests += 1;
      if (seq !== requests) refusals.push(`socket: request ${seq} instead of ${requests}`);
      if (id === "" && action !== "authentication_challenge") refusals.push(`socket: ${action}`);
      if (action !== "authentication_challenge") {
        send({ status: "OK", data: { text: "pong" }, seq_reply: seq });
        return;
      }
      if (given?.token !== state.botToken) {
        connection.close();
        return;
      }
      send({ status: "OK", seq_reply: seq });
      id = open(state, url.searchParams, send);
    });
    connection.on("close", () => {
      socket.connections.delete(connection);
      const session = socket.sessions.get(id);
      if (session?.send === send) session.send = undefined;
    });
  });
}

function open(
  { socket, refusals }: FakeMattermost,
  asked: URLSearchParams,
  send: (event: object) => void,
): string {
  socket.opened += 1;
  const id = asked.get("connection_id") ?? "";
  const next = Number(asked.get("sequence_number"));
  const known = socket.sessions.get(id);
  if (known === undefined) {
    const fresh = mattermostId();
    const hello = { event: "hello", data: { connection_id: fresh }, broadcast: {}, seq: 0 };
    socket.sessions.set(fresh, { events: [hello], send });
    send(hello);
    return fresh;
  }
  if (next > known.events.length) refusals.push(`socket: event ${next} does not exist yet`);
  socket.resumed += 1;
  known.send = send;
  for (const event of known.events.slice(next)) send(event);
  return id;
}
