import { html } from "hono/html";
import { hasPeople } from "#core/identity";
import type { Context } from "#core/context";
import { findInvitationOfToken } from "#core/workspaces";
import { askSignIn, inWorkspace, leadOn, localPath, refusalCode } from "./ask-sign-in.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { alert, field, hidden, newPassword } from "./fields.ts";
import { readForm } from "./form.ts";
import { toPage } from "./page.ts";
import { signInPath, withNext } from "./sign-in.ts";

export const signUpPath = "/sign-up";

/** Shows the form that makes an account: for everybody, or for whoever holds an invitation. */
export async function showSignUp(context: Context, url: URL): Promise<Response> {
  const token = url.searchParams.get("invitation") ?? "";
  const next = localPath(context, url.searchParams.get("next"));
  const invitation = await findInvitationOfToken(context, token);
  const isFirst = !(await hasPeople(context.db));
  return toSignUp({ token, next, name: "", email: invitation?.email ?? "", isFirst });
}

/** Makes an account and signs the person in, unless they have to prove their address first. */
export async function signUp(context: Context, asked: PageRequest): Promise<Response> {
  const form = await readForm(context, asked.request);
  const next = localPath(context, form.get("next"));
  const text = (name: string) => form.get(name)?.trim() ?? "";
  const given = { token: text("invitation"), next, name: text("name"), email: text("email") };
  // A password is what was typed, with the spaces at its ends.
  const password = form.get("password") ?? "";
  const { email } = given;
  // With the account it is taken.
  const invitation = await findInvitationOfToken(context, given.token);
  const answer = await askSignIn(context, asked, "/sign-up/email", {
    name: given.name,
    email: given.email,
    password,
    ...(given.token === "" ? {} : { invitation: given.token }),
  });
  if (!answer.ok) return toSignUp({ ...given, problem: problemOf(await refusalCode(answer)) });
  const onward =
    invitation === undefined || next !== "/" ? next : inWorkspace(invitation.workspace_id);
  if (answer.headers.getSetCookie().length > 0) return leadOn(onward, answer);
  const session = await askSignIn(context, asked, "/sign-in/email", { email, password });
  if (session.ok) return leadOn(onward, session);
  return toPage({
    title: "Look into your mail",
    body: html`<h1>Look into your mail</h1>
      <p>
        We have sent a link to ${given.email}. Open it to confirm that the address is yours, then
        sign in. If you had an account before, just sign in.
      </p>
      <p><a href="${withNext(signInPath, backTo(given))}">Sign in</a></p>`,
  });
}

/** Where somebody goes on who signs in instead: an invitation is still to be taken then. */
function backTo({ token, next }: Pick<Shown, "token" | "next">): string {
  return token === "" ? next : `/invitations/${encodeURIComponent(token)}`;
}

function problemOf(code: string): string {
  if (code === "SIGN_UP_CLOSED") {
    return "This server takes no sign-ups without an invitation. Ask an owner for one.";
  }
  if (code.startsWith("USER_ALREADY_EXISTS")) {
    return "There is an account with this address. Sign in instead.";
  }
  if (code.startsWith("PASSWORD_TOO_")) return "The password needs 8 to 200 characters.";
  return "This did not work. Look at what you entered and try again.";
}

type Shown = {
  token: string;
  next: string;
  name: string;
  email: string;
  /** Nobody has an account yet. */
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
}: Shown): Promise<Response> {
  const heading = isFirst ? "Welcome to your Toolhost" : "Make an account";
  const body = html`<h1>${heading}</h1>
    ${
      isFirst
        ? html`<p>
            This server is new. The first account, made here, owns it and its first workspace.
          </p>`
        : ""
    }
    ${alert(problem)}
    <form method="post" action="${signUpPath}">
      ${hidden("next", next)} ${hidden("invitation", token)}
      ${field({
        name: "name",
        label: "Your name",
        type: "text",
        autocomplete: "name",
        value: name,
        isFirst: true,
      })}
      ${field(
        {
          name: "email",
          label: "E-mail address",
          type: "email",
          autocomplete: "username",
          value: email,
          readOnly: token !== "" && email !== "",
        },
        problem,
      )}
      ${field({ ...newPassword, label: "Password, at least 8 characters" })}
      <button type="submit">Make an account</button>
    </form>
    ${
      isFirst
        ? ""
        : html`<p class="soft">
            Have one already?
            <a href="${withNext(signInPath, backTo({ token, next }))}">Sign in</a>
          </p>`
    }`;
  return toPage({ title: heading, body, status: problem === undefined ? 200 : 400 });
}
