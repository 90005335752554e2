import { until } from "./until.ts";
import { addUser } from "../../server/testing/fake-slack.ts";
import type { FakeMessage, FakeSlack, FakeTeam } from "../../server/testing/fake-slack.ts";
import { expectStatus } from "./server.ts";
import type { Server } from "./server.ts";

/** A team of the fake Slack that is connected to the owner's workspace, and the owner's chat user. */
export type ConnectedTeam = { team: FakeTeam; user: string };

/** Connects a new team in the owner's browser, and links the owner's chat user. */
export async function connectTeam(server: Server, slack: FakeSlack): Promise<ConnectedTeam> {
  slack.appUrl = server.baseUrl;
  const team = slack.addTeam("Engineering");
  const path = `/workspaces/${server.workspaceId}/chat/slack/connect`;
  const started = expectStatus(201, await server.callAsOwner("POST", path));
  const left = await visit(String(started.body.url), server.cookie);
  const set = left.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const agreed = await visit(left.headers.get("location") ?? "", "");
  const cookies = [server.cookie, ...set].join("; ");
  const arrived = await visit(agreed.headers.get("location") ?? "", cookies);
  if (arrived.status !== 200) throw new Error(await arrived.text());
  const user = addUser(team, "owner@example.com");
  const { ts } = await slack.mention(team, user, "thanks");
  const token = await until("a link is shown", 30_000, () => shownToken(team));
  const linked = await takeLink(server, token);
  if (linked.status !== 200) throw new Error(await linked.text());
  await until("the message is answered", 30_000, () => answersIn(team, ts)[0]);
  return { team, user };
}

/** Submits the linking page as the owner. */
export async function takeLink({ baseUrl, cookie }: Server, token: string): Promise<Response> {
  const page = await (await visit(`${baseUrl}/bot/link?token=${token}`, cookie)).text();
  const person = /name="person" value="([^"]+)"/.exec(page)?.[1] ?? "";
  return fetch(`${baseUrl}/bot/link`, {
    method: "POST",
    headers: { cookie, origin: baseUrl },
    body: new URLSearchParams({ token, person }),
  });
}

/** The bot's messages in a thread. */
export function answersIn(team: FakeTeam, thread: string): FakeMessage[] {
  return team.messages.filter((one) => one.thread_ts === thread && one.user === team.botUserId);
}

function shownToken(team: FakeTeam): string | undefined {
  return /\/bot\/link\?token=([\w-]+)/.exec(JSON.stringify(team.ephemerals))?.[1];
}

function visit(address: string, cookie: string): Promise<Response> {
  return fetch(address, { headers: { cookie }, redirect: "manual" });
}
