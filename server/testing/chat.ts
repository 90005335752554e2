import { vi } from "vitest";
import { chatTasks } from "#core/chat";
import { addUser } from "./fake-slack.ts";
import type { FakeMessage, FakeSlack, FakeTeam } from "./fake-slack.ts";
import type { SignedIn, TestService } from "./service.ts";

/** A user's browser and their REST calls. */
type Browser = { cookie: string; call: TestService["call"] };

/** Connects a team to the owner's workspace in a user's browser, and returns the connection ID. */
export async function connectTeam(test: TestService, team: FakeTeam): Promise<string> {
  const arrived = await installWith(test, team);
  if (arrived.status !== 200) throw new Error(await arrived.text());
  const { body } = await test.callAsOwner("GET", `/workspaces/${test.workspaceId}/chat`);
  const found = (body as { id: string; teamId: string }[]).find(({ teamId }) => teamId === team.id);
  if (found === undefined) throw new Error("The team is not connected");
  return found.id;
}

/** Installs the bot in a team with a browser, and returns the response to the OAuth callback. */
export async function installWith(
  test: TestService,
  team: FakeTeam,
  browser = ownersBrowser(test),
  workspaceId = test.workspaceId,
): Promise<Response> {
  const { callback, cookies } = await authorizeInSlack(test, team, browser, workspaceId);
  return fetch(callback, { headers: { cookie: cookies }, redirect: "manual" });
}

/** Authorizes the installation in Slack. Returns the callback URL without opening it, and the browser's cookies. */
export async function authorizeInSlack(
  test: TestService,
  team: FakeTeam,
  browser: Browser = ownersBrowser(test),
  workspaceId = test.workspaceId,
): Promise<{ callback: string; cookies: string }> {
  return authorizeOnPlatform(test, { platform: "slack", teamId: team.id }, browser, workspaceId);
}

/** Like `authorizeInSlack`, for any platform. */
export async function authorizeOnPlatform(
  test: TestService,
  { platform, teamId }: { platform: string; teamId: string },
  { cookie, call }: Browser = ownersBrowser(test),
  workspaceId = test.workspaceId,
): Promise<{ callback: string; cookies: string }> {
  const started = await call("POST", `/workspaces/${workspaceId}/chat/${platform}/connect`);
  if (started.status !== 201) throw new Error(started.text);
  const left = await fetch(String(started.body.url), { headers: { cookie }, redirect: "manual" });
  const location = left.headers.get("location");
  if (left.status !== 302 || location === null) throw new Error(await left.text());
  const consent = new URL(location);
  consent.searchParams.set("team", teamId);
  const agreed = await fetch(consent, { redirect: "manual" });
  const callback = agreed.headers.get("location") ?? "";
  const set = left.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return { callback, cookies: [cookie, ...set].join("; ") };
}

function ownersBrowser(test: TestService): Browser {
  const { cookie } = test;
  return { cookie, call: (method, path, body) => test.callAsOwner(method, path, body) };
}

/** The bot's messages in a thread, oldest first. */
export function answersIn(team: FakeTeam, thread: string): FakeMessage[] {
  return team.messages.filter(
    ({ thread_ts, user }) => thread_ts === thread && user === team.botUserId,
  );
}

/** The link URL in the last ephemeral message that a user got. */
export function findLinkUrl(team: FakeTeam, user: string): string | undefined {
  const shown = team.ephemerals.findLast((one) => one.user === user);
  return /"(http[^"]+\/bot\/link\?token=[^"]+)"/.exec(JSON.stringify(shown?.blocks))?.[1];
}

/** Confirms on the link page that a user is the chat user whom the URL was sent to. */
export async function confirmLink(
  { baseUrl }: TestService,
  address: string,
  { userId, cookie }: Pick<SignedIn, "userId" | "cookie">,
): Promise<{ status: number; text: string }> {
  const token = new URL(address).searchParams.get("token") ?? "";
  const response = await fetch(`${baseUrl}/bot/link`, {
    method: "POST",
    headers: { cookie, origin: baseUrl },
    body: new URLSearchParams({ token, person: userId }),
  });
  return { status: response.status, text: await response.text() };
}

/** Creates a workspace member with a role, linked to a user of the team. */
export async function addLinked(
  test: TestService,
  slack: FakeSlack,
  team: FakeTeam,
  role: string,
): Promise<SignedIn & { user: string }> {
  const person = await test.addSignedIn(test.workspaceId, role);
  return { ...person, user: await linkUser(test, slack, team, person) };
}

/** Links an existing person; returns the chat user. */
export async function linkUser(
  test: TestService,
  slack: FakeSlack,
  team: FakeTeam,
  person: SignedIn,
): Promise<string> {
  const user = addUser(team, person.email);
  const { ts } = await slack.mention(team, user, "thanks");
  const address = await vi.waitUntil(() => findLinkUrl(team, user), soon);
  const { status, text } = await confirmLink(test, address, person);
  if (status !== 200) throw new Error(text);
  await vi.waitUntil(() => answersIn(team, ts).length > 0, soon);
  return user;
}

/** Runs one of the recurring `chatTasks` now. */
export async function runChatTask({ service }: TestService, name: string): Promise<void> {
  const task = chatTasks.find((one) => one.name === name);
  if (task === undefined) throw new Error(`No task ${name} exists`);
  await task.work(service.context);
}

/** How long a test waits for an event on a busy machine. */
export const soon = { timeout: 30_000, interval: 50 };

/** Waits until no job in the inbox is queued or running. */
export function drainInbox({ service }: TestService): Promise<boolean> {
  const hasLeft = async () => {
    const left = await service.context.db.kysely
      .selectFrom("chat_inbox")
      .select("id")
      .where("status", "in", ["queued", "running"])
      .executeTakeFirst();
    return left !== undefined;
  };
  return vi.waitUntil(async () => !(await hasLeft()), soon);
}

/** Counts the inbox jobs of all chats, finished ones included. */
export async function countInbox({ service }: TestService): Promise<number> {
  const { kysely } = service.context.db;
  return (await kysely.selectFrom("chat_inbox").select("id").execute()).length;
}

/** Counts the inbox jobs that `work` adds. */
export async function inboxOf(test: TestService, work: () => Promise<unknown>): Promise<number> {
  const before = await countInbox(test);
  await work();
  return (await countInbox(test)) - before;
}
