import { scopes } from "@toolhost/contract";
import { html } from "hono/html";
import type { RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import {
  allClientScopes,
  allowApp,
  declineApp,
  findChooser,
  findConsentRequest,
} from "#core/identity";
import type { Chooser, ConsentRequest, Exchange } from "#core/identity";
import { redirectTo } from "./auth-client.ts";
import { alert } from "./fields.ts";
import { messages } from "./messages.ts";
import { toPage, toProblemPage } from "./page.ts";
import { readForm } from "./read-form.ts";
import { signInPath, withNext } from "./sign-in.ts";

const texts = messages.consent;

type ConsentPageRequest = { request: Request; exchange: Exchange; origin: RequestOrigin };

/** Asks the user whether an app may act on their behalf, after sign-in. */
export async function showConsent(context: Context, page: ConsentPageRequest): Promise<Response> {
  const url = new URL(page.request.url);
  const pending = await findConsentRequest(
    context,
    page.exchange,
    url.searchParams.get("uid") ?? "",
  );
  const session = await context.people.findSession(page.request.headers);
  if (session === undefined) return redirectTo(withNext(signInPath, url.pathname + url.search));
  return toConsent(pending, await findChooser(context, session));
}

/** Saves the user's decision and redirects to the app. */
export async function submitConsent(context: Context, page: ConsentPageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const pending = await findConsentRequest(context, page.exchange, form.get("uid") ?? "");
  const session = await context.people.findSession(page.request.headers);
  const path = `/oauth/consent?uid=${encodeURIComponent(pending.id)}`;
  if (session === undefined) return redirectTo(withNext(signInPath, path));
  // Another user has signed in since the page was shown, and has not seen the request.
  if (form.get("person") !== session.userId) return redirectTo(path);
  if (form.get("decision") !== "allow") {
    return redirectTo(await declineApp(context, page.exchange));
  }
  const decision = {
    workspaceId: form.get("workspace") ?? "",
    scopes: allClientScopes.filter((name) => form.getAll("scope").includes(name)),
  };
  if (decision.scopes.length === 0) {
    return toConsent(pending, await findChooser(context, session), decision.workspaceId);
  }
  return redirectTo(
    await allowApp(context, page.exchange, pending, session, page.origin, decision),
  );
}

/** `chosen` is the workspace of a submitted form in which no permission was selected. */
function toConsent(pending: ConsentRequest, chooser: Chooser, chosen?: string): Promise<Response> {
  if (chooser.workspaces.length === 0) {
    return toProblemPage(403, texts.noWorkspace(chooser.email));
  }
  const { target, formTarget, isLocal } = describeTarget(pending.redirectUri);
  const warning = isLocal ? html`<p class="soft">${texts.localWarning}</p>` : "";
  const title = texts.title(pending.clientName);
  const body = html`<h1><bdi>${title}</bdi>?</h1>
    <p>${texts.lead}</p>
    <dl>
      <dt>${texts.redirectsTo}</dt>
      <dd>${target}</dd>
      <dt>${messages.page.signedInAs}</dt>
      <dd>
        ${chooser.email}
        <small
          >(<a href="${withNext(signInPath, `/oauth/consent?uid=${pending.id}`)}"
            >${messages.page.notYou}</a
          >)</small
        >
      </dd>
    </dl>
    ${warning} ${alert(chosen === undefined ? undefined : texts.selectPermission)}
    <form method="post" action="/oauth/consent">
      <input type="hidden" name="uid" value="${pending.id}" />
      <input type="hidden" name="person" value="${chooser.userId}" />
      ${workspaceChoice(chooser, chosen)}
      <fieldset>
        <legend class="ui-label">${texts.permissions}</legend>
        ${pending.scopes.map(
          (name) =>
            html`<label class="ui-choice"
              ><input
                class="ui-mark"
                type="checkbox"
                name="scope"
                value="${name}"
                ${chosen === undefined ? "checked" : ""}
              />
              <span>${scopes[name]}</span></label
            >`,
        )}
      </fieldset>
      <p class="soft">${texts.manage}</p>
      <button type="submit" class="ui-button primary wide" name="decision" value="allow">
        ${texts.allow}
      </button>
      <button type="submit" name="decision" value="deny" class="ui-button wide">
        ${texts.decline}
      </button>
    </form>`;
  return toPage({
    title,
    body,
    status: chosen === undefined ? 200 : 400,
    formTargets: [formTarget],
  });
}

function workspaceChoice({ workspaces }: Chooser, chosen: string | undefined) {
  return html`<fieldset>
    <legend class="ui-label">${texts.workspace}</legend>
    ${workspaces.map(
      ({ id, name }) =>
        html`<label class="ui-choice"
          ><input
            class="ui-mark"
            type="radio"
            name="workspace"
            value="${id}"
            required
            ${workspaces.length === 1 || id === chosen ? "checked" : ""}
          />
          <span>${name}</span></label
        >`,
    )}
  </fieldset>`;
}

/** The redirect target, as the page shows it and as a CSP source. */
function describeTarget(redirectUri: string) {
  const { protocol, host, hostname, origin } = new URL(redirectUri);
  const isWeb = protocol === "https:" || protocol === "http:";
  const isLocal = !isWeb || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (!isWeb) return { target: texts.localProgram(protocol), formTarget: protocol, isLocal };
  return { target: host, formTarget: origin, isLocal };
}
