import { z } from "zod";
import { ChatError, findForm, pressButton, submitForm, textOfBlocks } from "#core/chat";
import type { ChatBlock } from "#core/chat";
import type { Context } from "#core/context";
import { messages } from "./messages.ts";
import { placeOf, toHint } from "./teams-activity.ts";
import type { Activity } from "./teams-activity.ts";
import { cardType, toCard } from "./teams-card.ts";
import { readFormValues, toFormCard } from "./teams-form.ts";

/** What Teams shows to the person who pressed a button: a short text, or a card instead of the message. */
type InvokeAnswer = { statusCode: number; type: string; value: unknown };

const press = z.object({
  action: z.object({
    verb: z.enum(["press", "submit"]),
    data: z.looseObject({ questionId: z.string().max(100), choice: z.string().max(100) }),
  }),
});
type Data = z.infer<typeof press>["action"]["data"];

/** Handles a press of a card's button, and returns the response to its request. */
export async function handleInvoke(context: Context, given: Activity): Promise<InvokeAnswer> {
  const pressed = press.safeParse(given.value);
  if (given.name !== "adaptiveCard/action" || !pressed.success) {
    const value = { code: "NotSupported", message: messages.pressUnknown };
    return { statusCode: 501, type: "application/vnd.microsoft.error", value };
  }
  const { verb, data } = pressed.data.action;
  try {
    return await (verb === "press" ? handlePress : handleForm)(context, given, data);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error }, "a button press could not be answered");
    return toTextAnswer(messages.pressUnknown);
  }
}

async function handlePress(
  context: Context,
  given: Activity,
  { questionId, choice }: Data,
): Promise<InvokeAnswer> {
  const shown: InvokeAnswer[] = [];
  const { teamId, channel, thread } = placeOf(given);
  const hint = toHint(given);
  const outcome = await pressButton(context, "teams", {
    teamId,
    channel,
    thread,
    questionId,
    choice,
    chatUserId: given.from.id,
    triggerId: hint,
    responseUrl: hint,
    respond: (blocks) => void shown.push(toAnswer(blocks)),
    showForm: (form) => void shown.push(toCardAnswer(toFormCard(form))),
  });
  const text = outcome === "taken" ? messages.pressTaken : messages.pressUnknown;
  return shown[0] ?? toTextAnswer(text);
}

async function handleForm(context: Context, given: Activity, data: Data): Promise<InvokeAnswer> {
  const { questionId, choice } = data;
  const asked = { teamId: placeOf(given).teamId, chatUserId: given.from.id, questionId };
  const found = await findForm(context, "teams", { ...asked, choice });
  if (found.kind === "refused") return toNotice(found.reason);
  const { form } = found;
  const values = readFormValues(form, data);
  const sent = { ...asked, values, responseUrl: toHint(given) };
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

function toAnswer(blocks: readonly ChatBlock[]): InvokeAnswer {
  const isText = blocks.every(({ kind }) => kind === "text");
  return isText ? toTextAnswer(textOfBlocks(blocks)) : toCardAnswer(toCard(blocks));
}

function toTextAnswer(value: string): InvokeAnswer {
  return { statusCode: 200, type: "application/vnd.microsoft.activity.message", value };
}

function toCardAnswer(value: object): InvokeAnswer {
  return { statusCode: 200, type: cardType, value };
}
