import { createHmac, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { Server as HttpServer } from "node:http";
import { createEmulator } from "emulate";
import type { Emulator } from "emulate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unusedModel } from "../server/testing/fake-model.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { findFreePort } from "./src/service-process.ts";
import { takeLink } from "./src/slack.ts";
import { until } from "./src/until.ts";

/** The flow from connecting a team to the first answer, against a third-party Slack emulator that checks scopes. */

const signingSecret = "signing-secret-of-the-test";
const client = { client_id: "111.222", client_secret: "client-secret-of-the-test" };
const adasToken = "xoxp-ada";

let slack: Emulator;
let proxy: HttpServer;
/** Ephemeral messages, which are visible to one user only; the emulator does not expose them. */
const ephemeralMessages: string[] = [];
let server: Server;

beforeAll(async () => {
  const [slackPort, port, proxyPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  proxy = startProxy(`http://127.0.0.1:${slackPort}`).listen(proxyPort, "127.0.0.1");
  const baseUrl = `http://localhost:${port}`;
  slack = await createEmulator({
    service: "slack",
    port: slackPort,
    baseUrl: `http://127.0.0.1:${slackPort}`,
    seed: {
      slack: {
        team: { name: "Emulated", domain: "emulated" },
        users: [{ name: "ada", real_name: "Ada", email: "ada@example.com" }],
        channels: [{ name: "ops" }],
        oauth_apps: [
          { ...client, name: "Toolhost", redirect_uris: [`${baseUrl}/bot/slack/callback`] },
        ],
        tokens: [{ token: adasToken, user: "ada", type: "user" }],
        strict_scopes: true,
      },
    },
  });
  server = await startServer({
    ...unusedModel,
    PORT: String(port),
    SLACK_CLIENT_ID: client.client_id,
    SLACK_CLIENT_SECRET: client.client_secret,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: `http://127.0.0.1:${proxyPort}/api/`,
  });
});
afterAll(async () => {
  await server.stop();
  await slack.close();
  proxy.closeAllConnections();
  proxy.close();
});

/** Starts a proxy between the service and the emulator that records ephemeral messages. */
function startProxy(target: string): HttpServer {
  return createServer((request, response) => {
    const forward = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (request.url?.endsWith("/chat.postEphemeral") === true)
        ephemeralMessages.push(body.toString());
      const { authorization = "", "content-type": type = "" } = request.headers;
      const isGet = request.method === "GET";
      const answer = await fetch(target + (request.url ?? ""), {
        method: request.method ?? "GET",
        headers: { "content-type": type, ...(authorization === "" ? {} : { authorization }) },
        ...(isGet ? {} : { body }),
        redirect: "manual",
      });
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(await answer.text());
    };
    forward().catch(() => response.writeHead(502).end());
  });
}

/** Calls a method of the emulator as Ada. */
async function ask(method: string, values: Record<string, string> = {}) {
  const response = await fetch(`${slack.url}/api/${method}`, {
    method: "POST",
    headers: { authorization: `Bearer ${adasToken}` },
    body: new URLSearchParams(values),
  });
  // The emulator's responses have many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  const body = (await response.json()) as any;
  if (body.ok !== true) throw new Error(`${method}: ${JSON.stringify(body)}`);
  return body;
}

/** Chooses the first user on the emulator's consent page, and returns the redirect URL. */
async function agree(consent: string): Promise<string> {
  const page = await (await fetch(consent)).text();
  const form = /<form[\s\S]*?<\/form>/.exec(page)?.[0] ?? "";
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")],
  );
  const answer = await fetch(`${slack.url}/oauth/v2/authorize/callback`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  return answer.headers.get("location") ?? "";
}

async function connect(): Promise<{ teamId: string }> {
  const path = `/workspaces/${server.workspaceId}/chat`;
  const started = await server.callAsOwner("POST", `${path}/slack/connect`);
  const headers = { cookie: server.cookie };
  const left = await fetch(String(started.body.url), { headers, redirect: "manual" });
  const consent = new URL(left.headers.get("location") ?? "");
  const callback = await agree(slack.url + consent.pathname + consent.search);
  const set = left.headers.getSetCookie().map((line) => line.split(";")[0]);
  const arrived = await fetch(callback, {
    headers: { cookie: [server.cookie, ...set].join("; ") },
  });
  expect(await arrived.text()).toContain("is connected");
  const { body } = await server.callAsOwner("GET", path);
  expect(body).toMatchObject([{ platform: "slack", state: "active" }]);
  return body[0];
}

async function deliver(teamId: string, botUserId: string, event: object): Promise<number> {
  const body = JSON.stringify({
    type: "event_callback",
    team_id: teamId,
    event_id: `Ev${randomUUID()}`,
    authorizations: [{ team_id: teamId, user_id: botUserId, is_bot: true }],
    event,
  });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hmac = createHmac("sha256", signingSecret).update(`v0:${timestamp}:${body}`);
  const answer = await fetch(`${server.baseUrl}/bot/slack/events`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": `v0=${hmac.digest("hex")}`,
    },
    body,
  });
  return answer.status;
}

test("connects a team, links a user's account, and answers a mention", async () => {
  const { teamId } = await connect();
  const { members } = await ask("users.list");
  const bot = members.find((member: { is_bot: boolean }) => member.is_bot);
  const ada = members.find((member: { name: string }) => member.name === "ada");
  const { channels } = await ask("conversations.list");
  const channel = String(channels.find((one: { name: string }) => one.name === "ops").id);
  await ask("conversations.invite", { channel, users: bot.id }).catch(() => undefined);
  const tool = await server.makeTool("export default async ({ n }) => ({ double: n * 2 });");
  const send = async (text: string) => {
    const { ts, message } = await ask("chat.postMessage", {
      channel,
      text: `<@${bot.id}> ${text}`,
    });
    const event = { type: "app_mention", user: ada.id, text: message.text, ts, channel };
    expect(await deliver(teamId, bot.id, event)).toBe(200);
    return String(ts);
  };
  await send("hello");
  const token = await until(
    "a link is shown",
    30_000,
    () => /bot%2Flink%3Ftoken%3D([\w-]+)/.exec(ephemeralMessages.join("\n"))?.[1],
  );
  expect((await takeLink(server, token)).status).toBe(200);
  const ts = await send(`run ${tool} {"n": 21}`);
  const answer = await until("the bot has answered", 30_000, async () => {
    const { messages } = await ask("conversations.replies", { channel, ts });
    return messages.find(({ user }: { user: string }) => user === bot.id);
  });
  expect(JSON.stringify(answer)).toContain("42");
});
