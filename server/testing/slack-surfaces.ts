import { vi } from "vitest";
import { soon } from "./chat.ts";
import { channelOf, issueResponseUrl, slackId } from "./fake-slack.ts";
import type { FakeMessage, FakeSlack, FakeTeam } from "./fake-slack.ts";
import type { FakeViewState } from "./fake-slack-team.ts";

type Ephemeral = FakeTeam["ephemerals"][number];

/** The responses and ephemeral messages that a person was shown. */
export function shownTo(team: FakeTeam, user: string): Ephemeral[] {
  return team.ephemerals.filter((one) => one.user === user);
}

/** An ephemeral message as `press` takes it. */
export function asMessage(team: FakeTeam, { ts, channel, text, blocks }: Ephemeral): FakeMessage {
  return { ts, channel, user: team.botUserId, text, blocks, reactions: [], edits: 0 };
}

/** The bot's messages in its conversation with a user. */
export function directTo(team: FakeTeam, user: string): FakeMessage[] {
  return team.messages.filter(
    (one) => one.channel === `D${user.slice(1)}` && one.user === team.botUserId,
  );
}

/** A button of a view. */
export type ViewButton = { action_id: string; label: string; value?: string; url?: string };

/** The buttons of a modal or Home. */
export function viewButtons({ blocks }: Record<string, unknown>): ViewButton[] {
  type Element = { action_id: string; text: { text: string }; value?: string; url?: string };
  const all = blocks as { accessory?: Element; elements?: Element[] }[];
  return all
    .flatMap(({ accessory, elements = [] }) => (accessory === undefined ? elements : [accessory]))
    .filter((one) => "action_id" in one)
    .map(({ text, ...rest }) => ({ ...rest, label: text.text }));
}

type InView = { user: string; view: FakeViewState; button: ViewButton; trigger?: string };

/** Presses a button of a modal or Home, and returns the trigger. */
export async function pressInView(
  slack: FakeSlack,
  team: FakeTeam,
  { user, view, button, trigger = slackId("TR") }: InView,
): Promise<string> {
  const { action_id, value = "" } = button;
  const { status, ms } = await slack.interact({
    type: "block_actions",
    team: { id: team.id },
    user: { id: user, team_id: team.id },
    trigger_id: trigger,
    container: { type: "view", view_id: view.id },
    view: { id: view.id, type: view["type"], hash: view.hash },
    actions: [{ type: "button", action_id, value }],
  });
  if (status !== 200 || ms > 3_000) throw new Error(`A press was answered with ${status}`);
  return trigger;
}

/** Chooses the shortcut in the menu of a message, and returns the trigger. */
export async function useShortcut(
  slack: FakeSlack,
  team: FakeTeam,
  { user, message, trigger = slackId("TR") }: Shortcut,
): Promise<string> {
  const channel = channelOf(team);
  const { ts, text, files, thread_ts } = message;
  const { status, ms } = await slack.interact({
    type: "message_action",
    callback_id: "run_with_message",
    team: { id: team.id },
    user: { id: user, team_id: team.id },
    trigger_id: trigger,
    channel: { id: channel },
    message: { type: "message", ts, thread_ts, text, files },
    message_ts: ts,
    response_url: issueResponseUrl(slack, { team, channel, user }),
  });
  if (status !== 200 || ms > 3_000) throw new Error(`A shortcut was answered with ${status}`);
  return trigger;
}

type Shortcut = {
  user: string;
  message: Pick<FakeMessage, "ts" | "text" | "thread_ts"> & { files?: object[] };
  trigger?: string;
};

/** The view that a trigger opened, once it was filled. */
export async function filledView(team: FakeTeam, trigger: string): Promise<FakeViewState> {
  const find = () => team.views.find((one) => one.trigger === trigger && one.updates > 0);
  return (await vi.waitUntil(find, soon)).view;
}

/** Opens the Home as a user. */
export async function openHome(
  slack: FakeSlack,
  team: FakeTeam,
  user: string,
  how: { eventId?: string; hash?: string } = {},
): Promise<void> {
  const view = team.homes.get(user);
  const { hash = view?.hash, ...rest } = how;
  const shown = view === undefined ? {} : { view: { id: view.id, hash } };
  const event = { type: "app_home_opened", user, channel: `D${user.slice(1)}`, tab: "home" };
  const { status } = await slack.deliver(team, { ...event, ...shown }, rest);
  if (status !== 200) throw new Error(`An event was answered with ${status}`);
}
