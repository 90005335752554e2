import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { WebSocketServer } from "ws";
import { answerMattermost } from "./fake-mattermost-api.ts";
import { serveEvents } from "./fake-mattermost-events.ts";
import { mattermostId, say, toUser, townSquare } from "./fake-mattermost-state.ts";
import type { FakeMattermost } from "./fake-mattermost-state.ts";

export { addPost, directChannel, mattermostId, townSquare } from "./fake-mattermost-state.ts";
export type { FakeMattermost, FakePost, FakeUser } from "./fake-mattermost-state.ts";

/** Starts a server with a bot account and one channel. */
export async function startFakeMattermost(): Promise<FakeMattermost> {
  const bot = toUser("toolhost", { is_bot: true, email_verified: false });
  const state: FakeMattermost = {
    baseUrl: "",
    botToken: mattermostId(),
    bot,
    client: { id: mattermostId(), secret: mattermostId() },
    users: new Map([[bot.id, bot]]),
    channels: new Map([[townSquare, { type: "O", members: [] }]]),
    posts: [],
    files: new Map(),
    ephemerals: [],
    mayPostEphemerals: false,
    typing: [],
    codes: new Map(),
    userTokens: new Map(),
    faults: [],
    refusals: [],
    socket: { sessions: new Map(), connections: new Set(), opened: 0, resumed: 0 },
    visitor: "",
    settings: {},
    addUser: (username, rest = {}) => {
      const user = toUser(username, rest);
      state.users.set(user.id, user);
      return user;
    },
    say: (user, message, how = {}) => say(state, user, message, how),
    close: async () => {
      for (const connection of state.socket.connections) connection.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (state.refusals.length > 0) throw new Error(state.refusals.join("\n"));
    },
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    answerMattermost(state, request, response).catch((error: unknown) => {
      state.refusals.push(String(error));
      response.writeHead(500).end();
    });
  });
  serveEvents(new WebSocketServer({ server, perMessageDeflate: false }), state);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  state.baseUrl = `http://127.0.0.1:${port}`;
  state.settings = {
    MATTERMOST_URL: state.baseUrl,
    MATTERMOST_BOT_TOKEN: state.botToken,
    MATTERMOST_CLIENT_ID: state.client.id,
    MATTERMOST_CLIENT_SECRET: state.client.secret,
  };
  return state;
}
