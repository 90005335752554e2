import { z } from "zod";
import { findForm, submitForm } from "#core/chat";
import type { ChatFieldProblem, ChatForm } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { readAskId } from "./ask-modal.ts";
import { attachmentsById, readAttachments } from "./discord-files.ts";
import { readFormId } from "./discord-form.ts";
import { givenIn, modalComponents, readModal } from "./read-modal.ts";
import { receive } from "./handle-command.ts";
import { ephemeralResponse } from "./interaction.ts";
import type { Interaction } from "./interaction.ts";
import { messages } from "./messages.ts";

const modal = z.object({
  custom_id: z.string().max(100),
  components: modalComponents,
  resolved: z.object({ attachments: attachmentsById.optional() }).optional(),
});
type Modal = z.infer<typeof modal>;

/** Handles a submitted modal: a form, or what to do with a message. */
export async function handleModal(context: Context, given: Interaction): Promise<Response> {
  const parsed = modal.safeParse(given.data);
  if (!parsed.success) throw new ServiceError("invalid_request", "Unknown form.");
  const target = readAskId(parsed.data.custom_id);
  if (target !== undefined) return handleAsk(context, given, parsed.data, target);
  const asked = readFormId(parsed.data.custom_id);
  if (asked === undefined) throw new ServiceError("invalid_request", "Unknown form.");
  return handleForm(context, given, parsed.data, asked);
}

async function handleAsk(
  context: Context,
  given: Interaction,
  sent: Modal,
  target: { messageId: string; author: string },
): Promise<Response> {
  const fields = givenIn(sent);
  const textOf = (name: string) => {
    const value = fields.get(name)?.value;
    return typeof value === "string" ? value.trim() : "";
  };
  const files = readAttachments(
    sent.resolved?.attachments ?? {},
    fields.get("files")?.values ?? [],
  );
  const text = textOf("about");
  const about = text === "" ? {} : { about: { ...target, text } };
  return receive(context, given, { text: textOf("text"), files, ...about });
}

async function handleForm(
  context: Context,
  { teamId, chatUserId }: Interaction,
  sent: Modal,
  asked: { questionId: string; choice: string },
): Promise<Response> {
  const { questionId } = asked;
  const found = await findForm(context, "discord", { ...asked, teamId, chatUserId });
  if (found.kind === "refused") return ephemeralResponse(found.reason);
  const { form } = found;
  const attachments = sent.resolved?.attachments ?? {};
  const { values, problems } = readModal(form, { components: sent.components, attachments });
  if (problems.length > 0) return problemsResponse(form, problems, asked);
  const outcome = await submitForm(context, "discord", { teamId, chatUserId, questionId, values });
  if (outcome.kind === "refused") return ephemeralResponse(outcome.reason);
  return outcome.kind === "wrong"
    ? problemsResponse(form, outcome.problems, asked)
    : Response.json({ type: 6 });
}

/** A submitted modal always closes, so its problems are posted with a button that opens it again. */
function problemsResponse(
  { fields }: ChatForm,
  problems: readonly ChatFieldProblem[],
  asked: { questionId: string; choice: string },
): Response {
  const lines = problems.slice(0, 10).map(({ name, message }) => {
    const label = fields.find((field) => field.name === name)?.label ?? name;
    return messages.problem(label, message);
  });
  return ephemeralResponse(messages.notRunYet(lines), [
    { label: messages.editDetails, style: "primary", ...asked },
  ]);
}
