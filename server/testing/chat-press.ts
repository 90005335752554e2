import { channelOf, issueResponseUrl, slackId } from "./fake-slack.ts";
import type { FakeMessage, FakeSlack, FakeTeam } from "./fake-slack.ts";

/** A button of a message. */
export type FakeButton = { label: string; value: string | undefined; url: string | undefined };

/** The buttons of a message. */
export function buttonsOf({ blocks = [] }: Pick<FakeMessage, "blocks">): FakeButton[] {
  const actions = blocks as {
    type: string;
    elements?: { text: { text: string }; value?: string; url?: string }[];
  }[];
  return actions
    .filter(({ type }) => type === "actions")
    .flatMap(({ elements = [] }) => elements)
    .map(({ text, value, url }) => ({ label: text.text, value, url }));
}

/** All text of a message, including its blocks. */
export function wordsOf({ text, blocks }: Pick<FakeMessage, "text" | "blocks">): string {
  return `${text}\n${JSON.stringify(blocks)}`;
}

type Press = { user: string; message: FakeMessage; label: string };

/** Presses a button as a user; returns the trigger that opened a form, if any. */
export async function press(
  slack: FakeSlack,
  team: FakeTeam,
  { user, message, label }: Press,
): Promise<string> {
  const button = buttonsOf(message).find((one) => one.label === label);
  if (button === undefined) throw new Error(`No button ${label} in ${wordsOf(message)}`);
  return pressValue(slack, team, { user, message, value: button.value });
}

type PressedValue = {
  user: string;
  message: FakeMessage;
  value: string | undefined;
  /** The user's team, if Slack sends it. */
  fromTeam?: string;
  /** Slack sends no message with a press in an ephemeral one. */
  isEphemeral?: boolean;
};

/** Presses with any value, even one that no button has. */
export async function pressValue(
  slack: FakeSlack,
  team: FakeTeam,
  { user, message, value, fromTeam, isEphemeral = false }: PressedValue,
): Promise<string> {
  const trigger = slackId("TR");
  const { ts, thread_ts } = message;
  const channel = channelOf(team);
  const { status } = await slack.interact({
    type: "block_actions",
    team: { id: team.id },
    user: { id: user, ...(fromTeam === undefined ? {} : { team_id: fromTeam }) },
    trigger_id: trigger,
    response_url: issueResponseUrl(slack, { team, channel, user, messageTs: ts }),
    channel: { id: channel },
    container: { type: "message", message_ts: ts, channel_id: channel },
    ...(isEphemeral ? {} : { message: { ts, thread_ts } }),
    actions: [{ action_id: "button-0", value }],
  });
  if (status !== 200) throw new Error(`A press was answered with ${status}`);
  return trigger;
}

/** A form as Slack shows it. */
export type FakeView = {
  private_metadata: string;
  title: { text: string };
  blocks: {
    type: string;
    block_id?: string;
    optional?: boolean;
    label?: { text: string };
    hint?: { text: string };
    element?: { type: string; options?: { value: string; text: { text: string } }[] };
  }[];
};

/** The form that was opened with a trigger. */
export function viewOf(team: FakeTeam, trigger: string): FakeView | undefined {
  return team.views.find((one) => one.trigger === trigger)?.view as FakeView | undefined;
}

/**
 * The response to a submitted form: the errors of its fields, or a notice that replaces it; neither if it was accepted.
 */
export type FakeAnswer = { errors: Record<string, string>; notice: string | undefined };

/** Submits a form as a user. Values are by field, like the state of Slack's elements. */
export async function submit(
  slack: FakeSlack,
  team: FakeTeam,
  { user, view, values }: { user: string; view: FakeView; values: Record<string, object> },
): Promise<FakeAnswer> {
  const { status, text } = await slack.interact({
    type: "view_submission",
    team: { id: team.id },
    user: { id: user },
    view: {
      callback_id: "toolhost_form",
      private_metadata: view.private_metadata,
      state: {
        values: Object.fromEntries(
          Object.entries(values).map(([name, value]) => [`field:${name}`, { value }]),
        ),
      },
    },
  });
  if (status !== 200) throw new Error(`A form was answered with ${status}`);
  if (text === "") return { errors: {}, notice: undefined };
  const answer = JSON.parse(text) as {
    response_action: string;
    errors?: Record<string, string>;
    view?: { type: string; title: object; blocks: { text: { text: string } }[] };
  };
  const { response_action: action, errors = {}, view: shown } = answer;
  if (action !== (shown === undefined ? "errors" : "update")) throw new Error(text);
  return { errors, notice: shown?.blocks.map((block) => block.text.text).join("\n") };
}
