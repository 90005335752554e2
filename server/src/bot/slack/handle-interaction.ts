import { z } from "zod";
import { ChatError, pressButton, submitForm } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { handlePanel } from "./handle-panel.ts";
import { readButtonValue } from "./slack-blocks.ts";
import {
  fieldBlockId,
  formCallbackId,
  readFormState,
  readFormValues,
  toNoticeView,
  viewState,
} from "./slack-form.ts";

const id = z.string().min(1).max(100);

const user = z.object({ id, team_id: id.nullish() });

const press = z.object({
  type: z.literal("block_actions"),
  team: z.object({ id }),
  user,
  trigger_id: z.string().max(300),
  response_url: z.string().max(1_000).optional(),
  container: z.object({ message_ts: z.string(), thread_ts: z.string().optional() }).optional(),
  channel: z.object({ id }),
  /** Ephemeral messages have only a container. */
  message: z.object({ ts: z.string(), thread_ts: z.string().optional() }).optional(),
  actions: z.array(z.object({ value: z.string().max(2_000).optional() })).min(1),
});

const submission = z.object({
  type: z.literal("view_submission"),
  team: z.object({ id }),
  user,
  view: z.object({
    callback_id: z.literal(formCallbackId),
    private_metadata: z.string().max(3_000),
    state: viewState,
  }),
});

/**
 * Handles a button press, a submitted form or a shortcut. Its answer is in the database before it is acknowledged; an unknown payload
 * is acknowledged as well, because an error would reach no one.
 */
export async function handleInteraction(context: Context, payload: unknown): Promise<Response> {
  if (payload === undefined) {
    throw new ServiceError("invalid_request", "Invalid Slack interaction.");
  }
  const submitted = submission.safeParse(payload);
  if (submitted.success) return handleForm(context, submitted.data);
  const pressed = press.safeParse(payload);
  if (pressed.success) await handlePress(context, pressed.data);
  else await handlePanel(context, payload);
  return new Response(null);
}

/** Whether the user is a member of another team, in a shared channel. */
function isFromExternalUser({
  team,
  user: { team_id: from },
}: Pick<z.infer<typeof press>, "team" | "user">) {
  return from != null && from !== team.id;
}

async function handlePress(context: Context, given: z.infer<typeof press>): Promise<void> {
  const answer = readButtonValue(given.actions[0]?.value ?? "");
  // Slack reports link buttons as well.
  if (answer === undefined) return;
  const { team, channel, message, container, trigger_id: triggerId } = given;
  const thread =
    message?.thread_ts ?? message?.ts ?? container?.thread_ts ?? container?.message_ts ?? "";
  const who = { chatUserId: given.user.id, isExternal: isFromExternalUser(given) };
  const threadRef = { teamId: team.id, channel: channel.id, thread, ...who };
  try {
    const { response_url: responseUrl } = given;
    await pressButton(context, "slack", { ...threadRef, ...answer, triggerId, responseUrl });
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error }, "a button press could not be answered");
  }
}

async function handleForm(context: Context, given: z.infer<typeof submission>): Promise<Response> {
  const { team, view } = given;
  const outcome = await submitForm(context, "slack", {
    teamId: team.id,
    chatUserId: given.user.id,
    isExternal: isFromExternalUser(given),
    ...readFormState(view.private_metadata),
    values: readFormValues(view.state),
  });
  if (outcome.kind === "taken") return new Response(null);
  if (outcome.kind === "refused") {
    return Response.json({ response_action: "update", view: toNoticeView(outcome.reason) });
  }
  const errors = Object.fromEntries(
    outcome.problems.map(({ name, message }) => [fieldBlockId(name), message.slice(0, 150)]),
  );
  return Response.json({ response_action: "errors", errors });
}
