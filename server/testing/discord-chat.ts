import { vi } from "vitest";
import { authorizeOnPlatform, soon, confirmLink } from "./chat.ts";
import { addMember, buttonsOf } from "./fake-discord.ts";
import type { FakeDiscord, FakeGuild } from "./fake-discord.ts";
import type { SignedIn, TestService } from "./service.ts";

/** A new Discord server, connected to the owner's workspace. */
export async function connectGuild(
  test: TestService,
  discord: FakeDiscord,
  name: string,
): Promise<FakeGuild> {
  const made = discord.addGuild(name);
  const { callback, cookies } = await authorizeOnPlatform(test, {
    platform: "discord",
    teamId: made.id,
  });
  const arrived = await fetch(callback, { headers: { cookie: cookies }, redirect: "manual" });
  if (arrived.status !== 200) throw new Error(await arrived.text());
  return made;
}

/** The state of the connection between a Discord server and the owner's workspace. */
export async function stateOf(
  test: TestService,
  { id }: FakeGuild,
): Promise<{ id: string; state: string } | undefined> {
  const { body } = await test.callAsOwner("GET", `/workspaces/${test.workspaceId}/chat`);
  return (body as { id: string; teamId: string; state: string }[]).find(
    ({ teamId }) => teamId === id,
  );
}

/** The link URL in the last message that only a member saw. */
export function linkFor(guild: FakeGuild, member: string): string | undefined {
  const shown = guild.posts.findLast(({ onlyTo }) => onlyTo === member);
  return shown === undefined ? undefined : buttonsOf(shown).find(({ url }) => url)?.url;
}

/** A member of a Discord server who is linked to a user. */
export async function addLinkedMember(
  test: TestService,
  discord: FakeDiscord,
  guild: FakeGuild,
): Promise<SignedIn & { user: string }> {
  const person = await test.addSignedIn(test.workspaceId, "member");
  const user = addMember(guild, "ada");
  await discord.ask(guild, user, "hello");
  const address = await vi.waitUntil(() => linkFor(guild, user), soon);
  const { status, text } = await confirmLink(test, address, person);
  if (status !== 200) throw new Error(text);
  return { ...person, user };
}
