import { html } from "hono/html";
import type { Context } from "#core/context";
import { callAuth } from "./auth-client.ts";
import type { PageRequest } from "./auth-client.ts";
import { alert, field, hidden, newPassword } from "./fields.ts";
import { messages } from "./messages.ts";
import { toPage, toProblemPage } from "./page.ts";
import { readForm } from "./read-form.ts";
import { signInPath } from "./sign-in.ts";

const { recovery } = messages;

const forgotPath = "/forgot-password";
const resetPath = "/reset-password";
const verifyPath = "/verify-email";

/** Shows a form for the email address of an account, unless the server cannot send email. */
export async function showForgot({ mailer }: Context): Promise<Response> {
  const title = recovery.forgotTitle;
  if (!mailer.isConfigured) return toNotice(title, recovery.noEmail);
  const body = html`<h1>${title}</h1>
    <p>${recovery.forgotLead}</p>
    <form method="post" action="${forgotPath}">
      ${field({
        name: "email",
        label: messages.page.emailAddress,
        type: "email",
        autocomplete: "username",
        isFirst: true,
      })}
      <button type="submit" class="ui-button primary wide">${recovery.forgotSubmit}</button>
    </form>`;
  return toPage({ title, body });
}

/** Sends the link. The response does not reveal whether an account with the address exists. */
export async function submitForgot(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const email = form.get("email")?.trim() ?? "";
  await callAuth(context, page, "/request-password-reset", { email });
  return toNotice(messages.page.checkEmail, recovery.linkSent);
}

/** Shows a form for a new password. */
export async function showReset(url: URL): Promise<Response> {
  return toReset(url.searchParams.get("token") ?? "");
}

/** Sets the new password and ends all sessions of the account. */
export async function submitReset(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const token = form.get("token") ?? "";
  const password = form.get("password") ?? "";
  if (password.length < 8 || password.length > 200) return toReset(token, recovery.passwordLength);
  const input = { token, newPassword: password };
  const response = await callAuth(context, page, "/reset-password", input);
  if (!response.ok) return toProblemPage(400, recovery.resetExpired);
  return toNotice(recovery.resetDone, recovery.signedOut);
}

/** Asks for confirmation with a button, because mail scanners open links and must not confirm an address. */
export async function showVerify(url: URL): Promise<Response> {
  const title = recovery.verifyTitle;
  const body = html`<h1>${title}</h1>
    <form method="post" action="${verifyPath}">
      ${hidden("token", url.searchParams.get("token") ?? "")}
      <button type="submit" class="ui-button primary wide">${recovery.verifySubmit}</button>
    </form>`;
  return toPage({ title, body });
}

/** Marks the email address as confirmed. */
export async function submitVerify(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const token = encodeURIComponent(form.get("token") ?? "");
  const response = await callAuth(context, page, `/verify-email?token=${token}`);
  if (!response.ok) return toProblemPage(400, recovery.verifyExpired);
  return toNotice(recovery.verifyDone);
}

function toNotice(title: string, text?: string): Promise<Response> {
  const body = html`<h1>${title}</h1>
    ${text === undefined ? "" : html`<p>${text}</p>`}
    <p><a href="${signInPath}">${messages.page.signIn}</a></p>`;
  return toPage({ title, body });
}

function toReset(token: string, problem?: string): Promise<Response> {
  const title = recovery.resetTitle;
  const body = html`<h1>${title}</h1>
    ${alert(problem)}
    <form method="post" action="${resetPath}">
      ${hidden("token", token)} ${field({ ...newPassword, isFirst: true }, problem)}
      <button type="submit" class="ui-button primary wide">${recovery.resetSubmit}</button>
    </form>`;
  return toPage({ title, body, status: problem === undefined ? 200 : 400 });
}
