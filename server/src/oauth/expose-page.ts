import type { CredentialOwner } from "@toolhost/contract";
import { html } from "hono/html";
import type { Context } from "#core/context";
import { replaceCredential } from "#core/vault";
import { toDonePage } from "./approval-blocks.ts";
import { leadOn } from "./ask-sign-in.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { hidden } from "./fields.ts";
import { readForm } from "./form.ts";
import { findPageCaller, requirePageCaller, seenBy } from "./page-caller.ts";
import type { Html } from "./page.ts";
import { toPage } from "./page.ts";
import { signInPath, withNext } from "./sign-in.ts";

const warning =
  "Code that sees the value can send or show it in ways that Toolhost cannot recognize, such as reversed or encrypted. Only tools of this workspace that ask for it and are approved get it.";

/** The choice of whether code may see the value of a credential that is added: off unless somebody ticks it. */
export function exposableField(): Html {
  return html`<fieldset>
    <label
      ><input type="checkbox" name="exposable" value="yes" />
      <span>Let code read the value. Otherwise the tool does not run.</span></label
    >
    <p class="soft">${warning}</p>
  </fieldset>`;
}

/** The page on which the owner of a credential lets code see its value. */
export async function showExpose(context: Context, page: PageRequest): Promise<Response> {
  const { searchParams, pathname, search } = new URL(page.request.url);
  const caller = await findPageCaller(context, page, searchParams.get("workspace"));
  if (caller === undefined) return leadOn(withNext(signInPath, pathname + search));
  const name = searchParams.get("expose") ?? "";
  const owner = ownerOf(searchParams);
  const body = html`<h1>Let code read ${name}?</h1>
    <p>
      A tool asks to see the value of ${owner === "workspace" ? "the workspace’s" : "your"}
      credential ${name}.
    </p>
    <p class="problem">${warning}</p>
    <form method="post" action="/credentials/expose">
      ${hidden("name", name)} ${hidden("owner", owner)} ${seenBy(caller)}
      <button type="submit">Allow code to read ${name}</button>
    </form>
    <p class="soft">You can turn this off again on the page of credentials.</p>`;
  return toPage({ title: `Let code read ${name}`, body });
}

/** Takes the answer of that page. Throws `not_found`, `forbidden`. */
export async function takeExpose(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const caller = await requirePageCaller(context, page, form);
  const name = form.get("name") ?? "";
  await replaceCredential(context, caller, { name, owner: ownerOf(form) }, { exposable: true });
  return toDonePage(`Code may read ${name}. Run the tool again.`);
}

function ownerOf(values: URLSearchParams): CredentialOwner {
  return values.get("owner") === "workspace" ? "workspace" : "user";
}
