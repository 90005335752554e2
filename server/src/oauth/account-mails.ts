import { html } from "hono/html";
import type { Context } from "#core/context";
import { askSignIn } from "./ask-sign-in.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { alert, field, hidden, newPassword } from "./fields.ts";
import { readForm } from "./form.ts";
import { toPage, toProblemPage } from "./page.ts";
import { signInPath } from "./sign-in.ts";

const forgotPath = "/forgot-password";
const resetPath = "/reset-password";
const verifyPath = "/verify-email";

/** Asks for the address of an account whose password is forgotten, where the server could send a mail to it. */
export async function showForgot({ mailer }: Context): Promise<Response> {
  if (!mailer.isConfigured) {
    const body = html`<h1>Forgot the password?</h1>
      <p>
        This server sends no mail, so it cannot send you a link. If you are signed in on another
        device, you are still signed in there. Else ask whoever runs the server.
      </p>
      <p><a href="${signInPath}">Sign in</a></p>`;
    return toPage({ title: "Forgot the password?", body });
  }
  const body = html`<h1>Forgot the password?</h1>
    <p>We send you a link with which you choose a new one.</p>
    <form method="post" action="${forgotPath}">
      ${field({
        name: "email",
        label: "E-mail address",
        type: "email",
        autocomplete: "username",
        isFirst: true,
      })}
      <button type="submit">Send the link</button>
    </form>`;
  return toPage({ title: "Forgot the password?", body });
}

/** Has the link sent. The answer is the same whether or not there is such an account. */
export async function takeForgot(context: Context, asked: PageRequest): Promise<Response> {
  const form = await readForm(context, asked.request);
  const email = form.get("email")?.trim() ?? "";
  await askSignIn(context, asked, "/request-password-reset", { email });
  const body = html`<h1>Look into your mail</h1>
    <p>
      If there is an account with this address, a link is on its way. It holds for half an hour.
    </p>
    <p><a href="${signInPath}">Sign in</a></p>`;
  return toPage({ title: "Look into your mail", body });
}

/** Asks for a new password. */
export async function showReset(url: URL): Promise<Response> {
  return toReset(url.searchParams.get("token") ?? "");
}

/** Sets the new password; all sessions of the account end. */
export async function takeReset(context: Context, asked: PageRequest): Promise<Response> {
  const form = await readForm(context, asked.request);
  const token = form.get("token") ?? "";
  const password = form.get("password") ?? "";
  if (password.length < 8 || password.length > 200) {
    return toReset(token, "The password needs 8 to 200 characters.");
  }
  const given = { token, newPassword: password };
  const answer = await askSignIn(context, asked, "/reset-password", given);
  if (!answer.ok) {
    return toProblemPage(400, "This link was used already, or is older than half an hour.");
  }
  const body = html`<h1>The password is changed</h1>
    <p>You are signed out everywhere.</p>
    <p><a href="${signInPath}">Sign in</a></p>`;
  return toPage({ title: "The password is changed", body });
}

/** Asks the person to confirm: programs that look into mails open links too, and must not. */
export async function showVerify(url: URL): Promise<Response> {
  const body = html`<h1>Confirm your e-mail address</h1>
    <form method="post" action="${verifyPath}">
      ${hidden("token", url.searchParams.get("token") ?? "")}
      <button type="submit">It is mine</button>
    </form>`;
  return toPage({ title: "Confirm your e-mail address", body });
}

/** Takes the address as proven. */
export async function takeVerify(context: Context, asked: PageRequest): Promise<Response> {
  const form = await readForm(context, asked.request);
  const token = encodeURIComponent(form.get("token") ?? "");
  const answer = await askSignIn(context, asked, `/verify-email?token=${token}`);
  if (!answer.ok) {
    return toProblemPage(400, "This link is older than a day. Sign in to be sent another one.");
  }
  const body = html`<h1>Your address is confirmed</h1>
    <p><a href="${signInPath}">Sign in</a></p>`;
  return toPage({ title: "Your address is confirmed", body });
}

function toReset(token: string, problem?: string): Promise<Response> {
  const body = html`<h1>Choose a new password</h1>
    ${alert(problem)}
    <form method="post" action="${resetPath}">
      ${hidden("token", token)} ${field({ ...newPassword, isFirst: true }, problem)}
      <button type="submit">Change the password</button>
    </form>`;
  return toPage({
    title: "Choose a new password",
    body,
    status: problem === undefined ? 200 : 400,
  });
}
