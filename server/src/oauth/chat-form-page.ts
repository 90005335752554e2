import type { Context as HonoContext } from "hono";
import { html } from "hono/html";
import { openWebForm, submitWebForm } from "#core/chat";
import type { ChatFieldProblem, ChatForm, ChatValues, WebForm } from "#core/chat";
import type { Context } from "#core/context";
import { reserveUpload } from "#core/limits";
import type { AppEnv } from "#rest";
import { formField, readFormValues, uploadsOf } from "./chat-form-fields.ts";
import { alert, hidden } from "./fields.ts";
import { messages } from "./messages.ts";
import { toPage, toProblemPage } from "./page.ts";
import { visitOf } from "./provider-redirect.ts";
import { requireOwnForm } from "./read-form.ts";
import { readMultipart } from "./read-multipart.ts";

const texts = messages.chat.form;

type RouteContext = HonoContext<AppEnv>;

export const chatFormPath = "/bot/form";

/** Shows the form of a tool that a user was asked to fill in, where the chat cannot show it. */
export async function showChatForm(context: Context, c: RouteContext): Promise<Response> {
  const opened = await openWebForm(context, visitOf(c), tokenOf(c));
  if ("reason" in opened) return toProblemPage(409, opened.reason);
  return toFormPage(c, opened, {});
}

export async function submitChatForm(context: Context, c: RouteContext): Promise<Response> {
  requireOwnForm(context, c.req.raw);
  const token = tokenOf(c);
  // Only a user who may answer can send files.
  const opened = await openWebForm(context, visitOf(c), token);
  if ("reason" in opened) return toProblemPage(409, opened.reason);
  const { form, caller } = opened;
  const release = reserveUpload(context, caller);
  const sent = await readMultipart(context, c.req.raw).finally(release);
  const { fields, files } = sent;
  try {
    const values = readFormValues(form, fields);
    const outcome = await submitWebForm(context, visitOf(c), {
      token,
      personId: fields.get("person") ?? "",
      values,
      uploads: uploadsOf(form, files),
    });
    if (outcome.kind === "refused") return await toProblemPage(409, outcome.reason);
    if (outcome.kind === "wrong") {
      return await toFormPage(c, opened, { values, problems: outcome.problems });
    }
    const body = html`<h1>${texts.sentTitle}</h1>
      <p>${texts.sent(opened.teamName)}</p>
      <p class="soft">${messages.page.closeWindow}</p>`;
    return await toPage({ title: texts.sentTitle, body });
  } finally {
    await sent.discard();
  }
}

function tokenOf(c: RouteContext): string {
  return c.req.query("token") ?? "";
}

type Sent = { values?: ChatValues; problems?: readonly ChatFieldProblem[] };

function toFormPage(
  c: RouteContext,
  { form, caller, teamName }: WebForm,
  { values, problems = [] }: Sent,
): Promise<Response> {
  const { title, introduction = "", submitLabel, fields } = form;
  const action = `${chatFormPath}?token=${encodeURIComponent(tokenOf(c))}`;
  const problem = problems.length === 0 ? undefined : texts.problem(hasFiles(form));
  const body = html`<h1>${title}</h1>
    ${introduction.split("\n").map((line) => (line === "" ? "" : html`<p>${line}</p>`))}
    ${alert(problem)}
    <form method="post" action="${action}" enctype="multipart/form-data">
      ${hidden("person", caller.userId)}
      ${fields.map((field, index) => formField(field, index, { values, problems }))}
      <button type="submit" class="ui-button primary wide">${submitLabel}</button>
    </form>
    <p class="soft">${texts.sent(teamName)}</p>`;
  return toPage({ title, body, status: problem === undefined ? 200 : 422 });
}

function hasFiles({ fields }: ChatForm): boolean {
  return fields.some(({ kind }) => kind === "file");
}
