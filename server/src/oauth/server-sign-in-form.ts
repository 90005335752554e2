import { html } from "hono/html";
import { credentialMessages } from "./credential-messages.ts";
import type { Html } from "./page.ts";

const texts = credentialMessages.add;

export const serverSignInPath = "/credentials/sign-in";

/** What the forms for adding a credential have in common. */
export type FormParts = { fields: Html; owners: Html; approving: Html };

/** The form that adds a credential by a sign-in at an MCP server. */
export function serverSignInForm(
  { resource, version }: { resource: string; version: number | undefined },
  { fields, owners, approving }: FormParts,
): Html {
  const { host } = new URL(resource);
  return html`<form method="post" action="${serverSignInPath}">
    ${fields} ${owners} ${approving}
    <p class="soft">${texts.signInLead(host)}</p>
    <button type="submit" class="ui-button primary wide">
      ${version === undefined ? texts.signIn(host) : texts.signInAndApprove(host, version)}
    </button>
  </form>`;
}
