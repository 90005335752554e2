import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { channelOf, createFakeTeam, slackId } from "./fake-slack-team.ts";
import { createFakeSocket, sendOverSocket, serveSockets } from "./fake-slack-socket.ts";
import type { FakeMessage, FakeTeam } from "./fake-slack-team.ts";
import { answerSlack } from "./fake-slack-web.ts";
import type { FakeState } from "./fake-slack-web.ts";

export { addFile, addUser, channelOf, slackId } from "./fake-slack-team.ts";
export type { FakeMessage, FakeTeam, FakeUser } from "./fake-slack-team.ts";

/** The service's response to a request of Slack. */
type Delivery = { status: number; text: string; ms: number };

/** A fake Slack with several teams: strict about tokens, with signed requests. */
export type FakeSlack = FakeState & {
  /** The settings of a service that uses it. */
  settings: Record<string, string>;
  /** The URL of the app. */
  appUrl: string;
  addTeam(name: string): FakeTeam;
  /** Sends an event for the first time. */
  deliver(team: FakeTeam, event: object, how?: HowDelivered): Promise<Delivery>;
  /** Mentions the bot as a user. */
  mention(team: FakeTeam, user: string, text: string, how?: Said): Promise<Delivery & Posted>;
  /** Types the slash command of the app. */
  command(team: FakeTeam, user: string, text: string, how?: Commanded): Promise<Delivery & Typed>;
  /** Sends any body, signed. */
  send(path: string, body: string, type?: string, how?: HowDelivered): Promise<Delivery>;
  /** Sends an interaction, such as a button press. */
  interact(payload: object, how?: HowDelivered): Promise<Delivery>;
  /** Throws if a call was refused because of a fault in the client. */
  close(): Promise<void>;
};

type HowDelivered = {
  eventId?: string;
  appUrl?: string;
  secret?: string;
  timestamp?: number;
  /** Sent instead of the signed body. */
  alteredBody?: string;
  /** Sent instead of the valid signature; omitted if empty. */
  signature?: string;
};
type Said = HowDelivered & { channel?: string; thread?: string; ts?: string; rest?: object };
type Commanded = HowDelivered & { channel?: string; triggerId?: string };
type Typed = { responseUrl: string; fields: Record<string, string> };
type IssuedFor = { team: FakeTeam; channel: string; user: string; messageTs?: string | undefined };
type Posted = { ts: string; event: object };

const signingSecret = "signing-secret-of-the-test";

/** Starts a fake without any teams. */
export async function startFakeSlack(): Promise<FakeSlack> {
  const state: FakeState = {
    baseUrl: "",
    client: { id: "111.222", secret: "client-secret-of-the-test" },
    teams: new Map(),
    codes: new Map(),
    calls: [],
    faults: [],
    socket: createFakeSocket(),
    responseUrls: new Map(),
    hasRateLimits: false,
    refusals: [],
  };
  const server = createServer((request, response) => {
    answerSlack(state, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  serveSockets(server, state);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  state.baseUrl = `http://127.0.0.1:${port}`;
  const fake: FakeSlack = Object.assign(state, {
    settings: {
      SLACK_CLIENT_ID: state.client.id,
      SLACK_CLIENT_SECRET: state.client.secret,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${state.baseUrl}/api/`,
    },
    appUrl: "",
    addTeam: (name: string) => {
      const team = createFakeTeam(name);
      state.teams.set(team.id, team);
      return team;
    },
    ...createSending(() => fake.appUrl, state),
    close: async () => {
      for (const connection of state.socket.connections) connection.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (state.refusals.length > 0) throw new Error(state.refusals.join("\n"));
    },
  });
  return fake;
}

/** Issues a URL for responses, for 5 uses within 30 minutes. */
export function issueResponseUrl(
  { baseUrl, responseUrls }: Pick<FakeState, "baseUrl" | "responseUrls">,
  { team, channel, user, messageTs }: IssuedFor,
): string {
  const path = `/actions/${team.id}/${slackId("R")}`;
  const { id: teamId } = team;
  responseUrls.set(path, { teamId, channel, user, messageTs, issuedAt: Date.now(), uses: 0 });
  return `${baseUrl}${path}`;
}

function commandFields(team: FakeTeam) {
  return {
    token: "deprecated",
    team_id: team.id,
    team_domain: "fake",
    channel_name: "general",
    user_name: "someone",
    command: "/toolhost",
    api_app_id: "A0TEST",
    is_enterprise_install: "false",
  };
}

/** Sends a signed body to a webhook, or to the connection of an app in Socket Mode. */
function createSend(appUrl: () => string, state: FakeState): FakeSlack["send"] {
  return async (path: string, body: string, type = "application/json", how: HowDelivered = {}) => {
    if (state.socket.isOn) {
      const sentAt = performance.now();
      const answer = await sendOverSocket(state.socket, path, body);
      return { ...answer, ms: performance.now() - sentAt };
    }
    const timestamp = how.timestamp ?? Math.floor(Date.now() / 1_000);
    const hmac = createHmac("sha256", how.secret ?? signingSecret);
    const right = `v0=${hmac.update(`v0:${timestamp}:${body}`).digest("hex")}`;
    const signature = how.signature ?? right;
    const startedAt = performance.now();
    const response = await fetch(`${how.appUrl ?? appUrl()}${path}`, {
      method: "POST",
      headers: {
        "content-type": type,
        "x-slack-request-timestamp": String(timestamp),
        ...(signature === "" ? {} : { "x-slack-signature": signature }),
      },
      body: how.alteredBody ?? body,
    });
    const text = await response.text();
    return { status: response.status, text, ms: performance.now() - startedAt };
  };
}

function createSending(appUrl: () => string, state: FakeState) {
  const send = createSend(appUrl, state);
  const deliver = (team: FakeTeam, event: object, how: HowDelivered = {}) => {
    const envelope = {
      type: "event_callback",
      team_id: team.id,
      api_app_id: "A0TEST",
      event,
      event_id: how.eventId ?? slackId("Ev"),
      event_time: Math.floor(Date.now() / 1_000),
      authorizations: [{ team_id: team.id, user_id: team.botUserId, is_bot: true }],
    };
    return send("/bot/slack/events", JSON.stringify(envelope), "application/json", how);
  };
  const mention = async (team: FakeTeam, user: string, text: string, how: Said = {}) => {
    const message: FakeMessage = {
      ts: how.ts ?? team.nextTs(),
      channel: how.channel ?? channelOf(team),
      user,
      text: `<@${team.botUserId}> ${text}`,
      reactions: [],
      edits: 0,
      ...(how.thread === undefined ? {} : { thread_ts: how.thread }),
    };
    team.messages.push(message);
    const { reactions: _, edits: __, ...said } = message;
    const event = { ...said, type: "app_mention", event_ts: message.ts, ...how.rest };
    return { ...(await deliver(team, event, how)), ts: message.ts, event };
  };
  const interact = (payload: object, how: HowDelivered = {}) => {
    const { team, trigger_id: trigger } = payload as { team?: { id: string }; trigger_id?: string };
    if (trigger !== undefined) state.teams.get(team?.id ?? "")?.triggers.set(trigger, Date.now());
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    return send("/bot/slack/interactions", body, "application/x-www-form-urlencoded", how);
  };
  return { send, deliver, mention, interact, command: createCommand(state, send) };
}

function createCommand(state: FakeState, send: FakeSlack["send"]): FakeSlack["command"] {
  return async (team: FakeTeam, user: string, text: string, how: Commanded = {}) => {
    const { channel = channelOf(team), triggerId = slackId("TR") } = how;
    const response_url = issueResponseUrl(state, { team, channel, user });
    const typed = { channel_id: channel, user_id: user, text, response_url };
    const fields = { ...commandFields(team), ...typed, trigger_id: triggerId };
    const body = new URLSearchParams(fields).toString();
    const type = "application/x-www-form-urlencoded";
    const delivery = await send("/bot/slack/commands", body, type, how);
    if (delivery.ms > 3_000) state.refusals.push("command: operation_timeout");
    return { ...delivery, responseUrl: response_url, fields };
  };
}
