import type { CredentialOwner } from "@toolhost/contract";
import { html } from "hono/html";
import type { Context } from "#core/context";
import { replaceCredential } from "#core/vault";
import { toDonePage } from "./approval-sections.ts";
import { redirectTo } from "./auth-client.ts";
import type { PageRequest } from "./auth-client.ts";
import { credentialMessages } from "./credential-messages.ts";
import { hidden } from "./fields.ts";
import { findPageCaller, requirePageCaller, callerFields } from "./page-caller.ts";
import type { Html } from "./page.ts";
import { toPage } from "./page.ts";
import { readForm } from "./read-form.ts";
import { signInPath, withNext } from "./sign-in.ts";

const texts = credentialMessages.expose;

/** The checkbox that lets code see the value of a new credential; off by default. */
export function exposableField(): Html {
  return html`<fieldset>
    <label class="ui-choice"
      ><input class="ui-mark" type="checkbox" name="exposable" value="yes" />
      <span>${texts.choice}</span></label
    >
    <p class="soft">${texts.warning}</p>
  </fieldset>`;
}

/** Asks the owner of a credential whether code may see its value. */
export async function showExpose(context: Context, page: PageRequest): Promise<Response> {
  const { searchParams, pathname, search } = new URL(page.request.url);
  const caller = await findPageCaller(context, page, searchParams.get("workspace"));
  if (caller === undefined) return redirectTo(withNext(signInPath, pathname + search));
  const name = searchParams.get("expose") ?? "";
  const owner = ownerOf(searchParams);
  const body = html`<h1>${texts.title(name)}?</h1>
    <p>${texts.lead(name, owner === "workspace")}</p>
    <p class="ui-note bad">${texts.warning}</p>
    <form method="post" action="/credentials/expose">
      ${hidden("name", name)} ${hidden("owner", owner)} ${callerFields(caller)}
      <button type="submit" class="ui-button primary wide">${texts.submit(name)}</button>
    </form>
    <p class="soft">${texts.undo}</p>`;
  return toPage({ title: texts.title(name), body });
}

/** Lets code see the value. Throws `not_found`, `forbidden`. */
export async function submitExpose(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const caller = await requirePageCaller(context, page, form);
  const name = form.get("name") ?? "";
  await replaceCredential(context, caller, { name, owner: ownerOf(form) }, { exposable: true });
  return toDonePage(texts.done(name));
}

function ownerOf(values: URLSearchParams): CredentialOwner {
  return values.get("owner") === "workspace" ? "workspace" : "user";
}
