import { html } from "hono/html";
import { authenticatePerson, findPerson } from "#core/identity";
import type { Context } from "#core/context";
import { acceptInvitation, findInvitationOfToken } from "#core/workspaces";
import { inWorkspace, leadOn } from "./ask-sign-in.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { readForm } from "./form.ts";
import { toPage, toProblemPage } from "./page.ts";
import type { Html } from "./page.ts";
import { signInPath, withNext } from "./sign-in.ts";
import { signUpPath } from "./sign-up.ts";

const goneMessage =
  "This invitation is invalid, has expired, or was already accepted. Ask for a new one.";

/** Shows an invitation to whoever has its link, and what to do next. */
export async function showInvitation(
  context: Context,
  { request }: PageRequest,
  token: string,
): Promise<Response> {
  const invitation = await findInvitationOfToken(context, token);
  if (invitation === undefined) return toProblemPage(404, goneMessage);
  const session = await context.people.findSession(request.headers);
  const person = session && (await findPerson(context.db, session.userId));
  const here = `/invitations/${token}`;
  const body = html`<h1>Join <bdi>${invitation.workspace_name}</bdi>?</h1>
    <p>
      You are invited as ${invitation.role}. The invitation is for
      <strong>${invitation.email}</strong>.
    </p>
    ${nextStep(here, token, person?.email, invitation.email)}`;
  return toPage({ title: `Join ${invitation.workspace_name}`, body });
}

function nextStep(
  here: string,
  token: string,
  signedInAs: string | undefined,
  invited: string,
): Html {
  if (signedInAs?.toLowerCase() === invited) {
    return html`<form method="post" action="${here}">
      <button type="submit">Join</button>
    </form>`;
  }
  const signUp = `${signUpPath}?${new URLSearchParams({ invitation: token }).toString()}`;
  const who =
    signedInAs === undefined
      ? ""
      : html`<p>You are signed in as ${signedInAs}, which is another address.</p>`;
  return html`${who}
    <p><a class="action" href="${signUp}">Make an account</a></p>
    <p class="soft">
      Have one already? <a href="${withNext(signInPath, here)}">Sign in with that address</a>
    </p>`;
}

/** Makes the signed-in person a member. */
export async function takeInvitation(
  context: Context,
  { request, origin }: PageRequest,
  token: string,
): Promise<Response> {
  await readForm(context, request);
  const caller = await authenticatePerson(context, request.headers, origin);
  const { workspaceId } = await acceptInvitation(context, caller, token);
  return leadOn(inWorkspace(workspaceId));
}
