import { z } from "zod";
import { ChatError, findForm, pressButton, submitForm } from "#core/chat";
import type { Context } from "#core/context";
import { messages } from "./messages.ts";
import { answerPress, toCardAnswer, toTextAnswer } from "./pending-invokes.ts";
import type { InvokeAnswer } from "./pending-invokes.ts";
import { placeOf } from "./teams-activity.ts";
import type { Activity, ReplyTo } from "./teams-activity.ts";
import { toCard } from "./teams-card.ts";
import { readFormValues, toFormCard } from "./teams-form.ts";

const press = z.object({
  action: z.object({
    verb: z.enum(["press", "submit"]),
    data: z.looseObject({ questionId: z.string().max(100), choice: z.string().max(100) }),
  }),
});

/** Handles a press of a card's button, and returns the response to its request. */
export async function handleInvoke(context: Context, given: Activity): Promise<InvokeAnswer> {
  const pressed = press.safeParse(given.value);
  if (given.name !== "adaptiveCard/action" || !pressed.success) {
    return {
      statusCode: 501,
      type: "application/vnd.microsoft.error",
      value: { code: "NotSupported", message: messages.pressUnknown },
    };
  }
  const { verb, data } = pressed.data.action;
  try {
    return await answerPress((invoke) => {
      const answering = { data, invoke };
      return verb === "press"
        ? handlePress(context, given, answering)
        : handleForm(context, given, answering);
    });
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error }, "a button press could not be answered");
    return toTextAnswer(messages.pressUnknown);
  }
}

type Answering = {
  data: { questionId: string; choice: string } & Record<string, unknown>;
  invoke: string;
};

async function handlePress(
  context: Context,
  given: Activity,
  { data: { questionId, choice }, invoke }: Answering,
): Promise<InvokeAnswer> {
  const { teamId, channel, thread } = placeOf(given);
  const hint = toHint(given, invoke);
  const outcome = await pressButton(context, "teams", {
    teamId,
    channel,
    thread,
    questionId,
    choice,
    chatUserId: given.from.id,
    triggerId: hint,
    responseUrl: hint,
  });
  return toTextAnswer(outcome === "taken" ? messages.pressTaken : messages.pressUnknown);
}

async function handleForm(
  context: Context,
  given: Activity,
  { data, invoke }: Answering,
): Promise<InvokeAnswer> {
  const { questionId, choice } = data;
  const asked = { teamId: placeOf(given).teamId, chatUserId: given.from.id, questionId };
  const found = await findForm(context, "teams", { ...asked, choice });
  if (found.kind === "refused") return toNotice(found.reason);
  const { form } = found;
  const values = readFormValues(form, data);
  const sent = { ...asked, values, responseUrl: toHint(given, invoke) };
  const outcome = await submitForm(context, "teams", sent);
  if (outcome.kind === "refused") return toNotice(outcome.reason);
  if (outcome.kind === "taken") return toNotice(messages.formTaken);
  const { problems } = outcome;
  return toCardAnswer(toFormCard({ ...form, choice }, { problems, data }));
}

/** Replaces the form that the person sees. */
function toNotice(text: string): InvokeAnswer {
  return toCardAnswer(toCard([{ kind: "text", text }]));
}

function toHint(given: Activity, invoke: string): string {
  const { serviceUrl } = given;
  const replyTo: ReplyTo = { serviceUrl, channel: placeOf(given).channel, invoke };
  return JSON.stringify(replyTo);
}
