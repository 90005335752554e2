import { z } from "zod";
import { ChatError, openMessageForm, openToolForm, pressButton } from "#core/chat";
import type { Context } from "#core/context";
import { newId } from "#lib/ids";
import { writePrivateThread } from "./private-thread.ts";
import { readButtonValue } from "./slack-blocks.ts";
import { slackFiles, toChatFiles } from "./slack-file-list.ts";
import { readSlackText } from "./slack-text.ts";
import { runToolAction } from "./slack-views.ts";

const id = z.string().min(1).max(100);
const timestamp = z.string().regex(/^\d{1,16}\.\d{1,10}$/);
const who = {
  team: z.object({ id }),
  user: z.object({ id, team_id: id.nullish() }),
  trigger_id: z.string().max(300),
};

/** The `callback_id` of the shortcut in the menu of a message. */
export const messageShortcut = "run_with_message";

const shortcut = z.object({
  type: z.literal("message_action"),
  callback_id: z.literal(messageShortcut),
  ...who,
  channel: z.object({ id }),
  message: z.object({
    ts: timestamp,
    thread_ts: timestamp.optional(),
    text: z.string().max(100_000).default(""),
    files: slackFiles.optional(),
  }),
});

const viewPress = z.object({
  type: z.literal("block_actions"),
  ...who,
  view: z.object({ id, type: z.enum(["modal", "home"]) }),
  actions: z
    .array(z.object({ action_id: z.string(), value: z.string().max(2_000).optional() }))
    .min(1),
});

/** Handles the shortcut of a message, or a button in a modal or on the Home; ignores any other interaction. */
export async function handlePanel(context: Context, payload: unknown): Promise<void> {
  const asked = shortcut.safeParse(payload);
  const pressed = viewPress.safeParse(payload);
  try {
    if (asked.success) await runWithMessage(context, asked.data);
    if (pressed.success) await pressInView(context, pressed.data);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error }, "an interaction could not be answered");
  }
}

async function runWithMessage(context: Context, given: z.infer<typeof shortcut>): Promise<void> {
  const { channel, message } = given;
  await openMessageForm(context, "slack", {
    ...requestOf(given),
    channel: channel.id,
    threadRef: { channel: channel.id, thread: message.thread_ts ?? message.ts },
    text: readSlackText(message.text, undefined),
    files: toChatFiles(message.files),
  });
}

async function pressInView(context: Context, given: z.infer<typeof viewPress>): Promise<void> {
  const [action] = given.actions;
  const { value = "", action_id: actionId = "" } = action ?? {};
  const { view, user } = given;
  const request = { ...requestOf(given), channel: user.id };
  if (view.type === "home") {
    if (!actionId.startsWith(runToolAction)) return;
    const threadRef = { channel: user.id, thread: writePrivateThread(user.id, newId()) };
    await openToolForm(context, "slack", { ...request, toolName: value, threadRef });
    return;
  }
  const answer = readButtonValue(value);
  if (answer === undefined) return;
  await pressButton(context, "slack", { ...request, ...answer, thread: "", panelId: view.id });
}

function requestOf({ team, user, trigger_id: triggerId }: Pick<Given, keyof typeof who>) {
  const isExternal = user.team_id != null && user.team_id !== team.id;
  return { teamId: team.id, chatUserId: user.id, isExternal, triggerId };
}

type Given = z.infer<typeof shortcut>;
