import { html } from "hono/html";
import { authenticatePerson, findPerson } from "#core/identity";
import type { Context } from "#core/context";
import { withArticle } from "#core/kernel";
import { acceptInvitation, findInvitationOfToken } from "#core/workspaces";
import { redirectTo, workspacePath } from "./auth-client.ts";
import type { PageRequest } from "./auth-client.ts";
import { messages } from "./messages.ts";
import { toPage, toProblemPage } from "./page.ts";
import type { Html } from "./page.ts";
import { readForm } from "./read-form.ts";
import { signInPath, withNext } from "./sign-in.ts";
import { signUpPath } from "./sign-up.ts";

const texts = messages.invitation;

/** Shows an invitation to anyone who has its link. */
export async function showInvitation(
  context: Context,
  { request }: PageRequest,
  token: string,
): Promise<Response> {
  const invitation = await findInvitationOfToken(context, token);
  if (invitation === undefined) return toProblemPage(404, texts.invalid);
  const session = await context.people.findSession(request.headers);
  const person = session && (await findPerson(context.db, session.userId));
  const { workspace_name: workspace, role, email } = invitation;
  const path = `/invitations/${token}`;
  const title = texts.title(workspace);
  const body = html`<h1><bdi>${title}</bdi>?</h1>
    <p>${texts.invitedAs(workspace, withArticle(role), email)}</p>
    ${nextStep(path, token, person?.email, email)}`;
  return toPage({ title, body });
}

function nextStep(
  path: string,
  token: string,
  signedInAs: string | undefined,
  invited: string,
): Html {
  if (signedInAs?.toLowerCase() === invited) {
    return html`<form method="post" action="${path}">
      <button type="submit" class="ui-button primary wide">${texts.submit}</button>
    </form>`;
  }
  const signUp = `${signUpPath}?${new URLSearchParams({ invitation: token }).toString()}`;
  return html`${signedInAs === undefined ? "" : html`<p>${texts.otherAddress(signedInAs)}</p>`}
    <p><a class="ui-button primary wide" href="${signUp}">${messages.page.createAccount}</a></p>
    <p class="soft">
      ${messages.page.haveAccount}
      <a href="${withNext(signInPath, path)}">${texts.signIn}</a>
    </p>`;
}

/** Adds the signed-in user to the workspace. */
export async function submitInvitation(
  context: Context,
  { request, origin }: PageRequest,
  token: string,
): Promise<Response> {
  await readForm(context, request);
  const caller = await authenticatePerson(context, request.headers, origin);
  const { workspaceId } = await acceptInvitation(context, caller, token);
  return redirectTo(workspacePath(workspaceId));
}
