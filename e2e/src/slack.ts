import { until } from "./until.ts";
import { addUser } from "../../server/testing/fake-slack.ts";
import type { FakeMessage, FakeSlack, FakeTeam } from "../../server/testing/fake-slack.ts";
import { expectStatus } from "./server.ts";
import type { Server } from "./server.ts";

/** A team of the fake that is connected to the owner's workspace, and the owner as one of its users. */
export type ConnectedTeam = { team: FakeTeam; user: string };

/** Connects a new team as the owner's browser would, and lets the owner say who they are there. */
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
  await slack.mention(team, user, "hello");
  const token = await until("a link is shown", 30_000, () => shownToken(team));
  const linked = await takeLink(server, token);
  if (linked.status !== 200) throw new Error(await linked.text());
  return { team, user };
}

/** Lets the owner press the button on the page of a link. */
export async function takeLink({ baseUrl, cookie }: Server, token: string): Promise<Response> {
  const page = await (await visit(`${baseUrl}/bot/link?token=${token}`, cookie)).text();
  const person = /name="person" value="([^"]+)"/.exec(page)?.[1] ?? "";
  return fetch(`${baseUrl}/bot/link`, {
    method: "POST",
    headers: { cookie, origin: baseUrl },
    body: new URLSearchParams({ token, person }),
  });
}

/** What the bot has said in a thread. */
export function answersIn(team: FakeTeam, thread: string): FakeMessage[] {
  return team.messages.filter((one) => one.thread_ts === thread && one.user === team.botUserId);
}

function shownToken(team: FakeTeam): string | undefined {
  return /\/bot\/link\?token=([\w-]+)/.exec(JSON.stringify(team.ephemerals))?.[1];
}

function visit(address: string, cookie: string): Promise<Response> {
  return fetch(address, { headers: { cookie }, redirect: "manual" });
}
