import { z } from "zod";
import { ChatError, pressButton, submitForm } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { readButtonValue } from "./slack-blocks.ts";
import {
  fieldBlockId,
  formCallbackId,
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
  channel: z.object({ id }),
  message: z.object({ ts: z.string(), thread_ts: z.string().optional() }),
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
 * Takes a press of a button or a form of Slack's. What an answer asks for is in the database before it is answered;
 * what nobody knows is answered as if it were fine, for there is nobody to be told.
 */
export async function takeInteraction(context: Context, body: string): Promise<Response> {
  const payload = parseJson(new URLSearchParams(body).get("payload") ?? "");
  if (payload === undefined) {
    throw new ServiceError("invalid_request", "This is no interaction of Slack's.");
  }
  const pressed = press.safeParse(payload);
  if (pressed.success) await takePress(context, pressed.data);
  const submitted = submission.safeParse(payload);
  return submitted.success ? takeForm(context, submitted.data) : new Response(null);
}

/** Whether somebody of another team pressed or sent something, in a channel that teams share. */
function isFromOutside({
  team,
  user: { team_id: from },
}: Pick<z.infer<typeof press>, "team" | "user">) {
  return from != null && from !== team.id;
}

async function takePress(context: Context, given: z.infer<typeof press>): Promise<void> {
  const answer = readButtonValue(given.actions[0]?.value ?? "");
  // A button that only leads to an address is told of as well.
  if (answer === undefined) return;
  const { team, channel, message, trigger_id: triggerId } = given;
  const thread = message.thread_ts ?? message.ts;
  const who = { chatUserId: given.user.id, isExternal: isFromOutside(given) };
  const threadRef = { teamId: team.id, channel: channel.id, thread, ...who };
  try {
    await pressButton(context, "slack", { ...threadRef, ...answer, triggerId });
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error }, "a press of a button could not be answered");
  }
}

async function takeForm(context: Context, given: z.infer<typeof submission>): Promise<Response> {
  const { team, view } = given;
  const outcome = await submitForm(context, "slack", {
    teamId: team.id,
    chatUserId: given.user.id,
    isExternal: isFromOutside(given),
    questionId: view.private_metadata,
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
