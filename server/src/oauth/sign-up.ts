import { html } from "hono/html";
import { hasPeople } from "#core/identity";
import type { Context } from "#core/context";
import { findInvitationOfToken } from "#core/workspaces";
import { callAuth, errorCodeOf, localPath, redirectTo, workspacePath } from "./auth-client.ts";
import type { PageRequest } from "./auth-client.ts";
import { alert, field, hidden, newPassword } from "./fields.ts";
import { messages } from "./messages.ts";
import { toPage } from "./page.ts";
import { readForm } from "./read-form.ts";
import { signInPath, withNext } from "./sign-in.ts";

export const signUpPath = "/sign-up";

/** Shows the sign-up form, with the email address of the invitation if the link has one. */
export async function showSignUp(context: Context, url: URL): Promise<Response> {
  const token = url.searchParams.get("invitation") ?? "";
  const next = localPath(context, url.searchParams.get("next"));
  const invitation = await findInvitationOfToken(context, token);
  const isFirst = !(await hasPeople(context.db));
  return toSignUp({ token, next, name: "", email: invitation?.email ?? "", isFirst });
}

/** Creates an account and signs the user in, unless the email address must be confirmed first. */
export async function submitSignUp(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const next = localPath(context, form.get("next"));
  const text = (name: string) => form.get(name)?.trim() ?? "";
  const input = { token: text("invitation"), next, name: text("name"), email: text("email") };
  // Not trimmed: spaces are part of a password.
  const password = form.get("password") ?? "";
  const { email } = input;
  // Looked up first, because signing up accepts the invitation.
  const invitation = await findInvitationOfToken(context, input.token);
  const response = await callAuth(context, page, "/sign-up/email", {
    name: input.name,
    email,
    password,
    ...(input.token === "" ? {} : { invitation: input.token }),
  });
  if (!response.ok) return toSignUp({ ...input, problem: problemOf(await errorCodeOf(response)) });
  const target =
    invitation === undefined || next !== "/" ? next : workspacePath(invitation.workspace_id);
  if (response.headers.getSetCookie().length > 0) return redirectTo(target, response);
  const session = await callAuth(context, page, "/sign-in/email", { email, password });
  if (session.ok) return redirectTo(target, session);
  return toPage({
    title: messages.page.checkEmail,
    body: html`<h1>${messages.page.checkEmail}</h1>
      <p>${messages.signUp.checkEmail(email)}</p>
      <p>
        <a href="${withNext(signInPath, nextAfterSignIn(input))}">${messages.page.signIn}</a>
      </p>`,
  });
}

/** Where to go after signing in instead of signing up: the invitation is still open then. */
function nextAfterSignIn({ token, next }: Pick<SignUpPage, "token" | "next">): string {
  return token === "" ? next : `/invitations/${encodeURIComponent(token)}`;
}

function problemOf(code: string): string {
  if (code === "SIGN_UP_CLOSED") return messages.signUp.closed;
  if (code === "SETUP_LINK_REQUIRED") return messages.signUp.setupLink;
  if (code.startsWith("USER_ALREADY_EXISTS")) return messages.signUp.exists;
  if (code.startsWith("PASSWORD_TOO_")) return messages.recovery.passwordLength;
  return messages.signUp.failed;
}

type SignUpPage = {
  token: string;
  next: string;
  name: string;
  email: string;
  /** The server has no account yet. */
  isFirst?: boolean;
  problem?: string;
};

function toSignUp({
  token,
  next,
  name,
  email,
  isFirst = false,
  problem,
}: SignUpPage): Promise<Response> {
  const texts = messages.signUp;
  const title = isFirst ? texts.firstTitle : texts.title;
  const body = html`<h1>${title}</h1>
    ${isFirst ? html`<p>${texts.firstLead}</p>` : ""} ${alert(problem)}
    <form method="post" action="${signUpPath}">
      ${hidden("next", next)} ${hidden("invitation", token)}
      ${field({
        name: "name",
        label: texts.name,
        type: "text",
        autocomplete: "name",
        value: name,
        isFirst: true,
      })}
      ${field(
        {
          name: "email",
          label: messages.page.emailAddress,
          type: "email",
          autocomplete: "username",
          value: email,
          readOnly: token !== "" && email !== "",
        },
        problem,
      )}
      ${field({ ...newPassword, label: texts.password })}
      <button type="submit" class="ui-button primary wide">${messages.page.createAccount}</button>
    </form>
    ${
      isFirst
        ? ""
        : html`<p class="soft">
            ${messages.page.haveAccount}
            <a href="${withNext(signInPath, nextAfterSignIn({ token, next }))}"
              >${messages.page.signIn}</a
            >
          </p>`
    }`;
  return toPage({ title, body, status: problem === undefined ? 200 : 400 });
}
