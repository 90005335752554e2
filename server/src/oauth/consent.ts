import { errorCodes } from "@toolhost/contract";
import { html } from "hono/html";
import type { RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import {
  allClientScopes,
  allowApp,
  clientScopes,
  declineApp,
  findChooser,
  findConsentRequest,
} from "#core/identity";
import type { Chooser, ConsentRequest, Exchange } from "#core/identity";
import { leadOn } from "./ask-sign-in.ts";
import { alert } from "./fields.ts";
import { readForm } from "./form.ts";
import { toPage, toProblemPage } from "./page.ts";
import { signInPath, withNext } from "./sign-in.ts";

type Asked = { request: Request; exchange: Exchange; origin: RequestOrigin };

/** Asks the person whether an app may act for them; who is not signed in is asked to do so first. */
export async function showConsent(context: Context, asked: Asked): Promise<Response> {
  const url = new URL(asked.request.url);
  const wanted = await findConsentRequest(
    context,
    asked.exchange,
    url.searchParams.get("uid") ?? "",
  );
  const session = await context.people.findSession(asked.request.headers);
  if (session === undefined) return leadOn(withNext(signInPath, url.pathname + url.search));
  return toConsent(wanted, await findChooser(context, session));
}

/** Takes the person's answer and leads back to the app. */
export async function answerConsent(context: Context, asked: Asked): Promise<Response> {
  const form = await readForm(context, asked.request);
  const wanted = await findConsentRequest(context, asked.exchange, form.get("uid") ?? "");
  const session = await context.people.findSession(asked.request.headers);
  const here = `/oauth/consent?uid=${encodeURIComponent(wanted.id)}`;
  if (session === undefined) return leadOn(withNext(signInPath, here));
  // Somebody else signed in since the page was shown: they have not seen what is asked.
  if (form.get("person") !== session.userId) return leadOn(here);
  if (form.get("decision") !== "allow") {
    return leadOn(await declineApp(context, asked.exchange));
  }
  const decision = {
    workspaceId: form.get("workspace") ?? "",
    scopes: allClientScopes.filter((name) => form.getAll("scope").includes(name)),
  };
  if (decision.scopes.length === 0) {
    return toConsent(wanted, await findChooser(context, session), decision.workspaceId);
  }
  return leadOn(await allowApp(context, asked.exchange, wanted, session, asked.origin, decision));
}

/** Once more with the workspace that was `chosen`, where nothing was allowed in it. */
function toConsent(wanted: ConsentRequest, chooser: Chooser, chosen?: string): Promise<Response> {
  if (chooser.workspaces.length === 0) {
    return toProblemPage(
      403,
      `${chooser.email} belongs to no workspace in which apps may be connected. Ask an owner for an invitation.`,
    );
  }
  const { target, formTarget, isLocal } = describeTarget(wanted.redirectUri);
  const warning = isLocal
    ? html`<p class="soft">
        It runs on this computer. Allow it only if you have just started it yourself.
      </p>`
    : "";
  const body = html`<h1>Connect <bdi>${wanted.clientName}</bdi>?</h1>
    <p>This app wants to use Toolhost in your name.</p>
    <dl>
      <dt>It sends you back to</dt>
      <dd>${target}</dd>
      <dt>You are signed in as</dt>
      <dd>
        ${chooser.email}
        <small
          >(<a href="${withNext(signInPath, `/oauth/consent?uid=${wanted.id}`)}">not you?</a
          >)</small
        >
      </dd>
    </dl>
    ${warning}
    ${alert(chosen === undefined ? undefined : "Select at least one permission, or decline.")}
    <form method="post" action="/oauth/consent">
      <input type="hidden" name="uid" value="${wanted.id}" />
      <input type="hidden" name="person" value="${chooser.userId}" />
      ${workspaceChoice(chooser, chosen)}
      <fieldset>
        <legend>It may</legend>
        ${wanted.scopes.map(
          (name) =>
            html`<label
              ><input
                type="checkbox"
                name="scope"
                value="${name}"
                ${chosen === undefined ? "checked" : ""}
              />
              <span>${clientScopes[name]}</span></label
            >`,
        )}
      </fieldset>
      <p class="soft">You can end this at any time under Connected apps.</p>
      <button type="submit" name="decision" value="allow">Allow</button>
      <button type="submit" name="decision" value="deny" class="quiet">Decline</button>
    </form>`;
  return toPage({
    title: `Connect ${wanted.clientName}`,
    body,
    status: chosen === undefined ? 200 : 400,
    formTargets: [formTarget],
  });
}

function workspaceChoice({ workspaces }: Chooser, chosen: string | undefined) {
  return html`<fieldset>
    <legend>In the workspace</legend>
    ${workspaces.map(
      ({ id, name }) =>
        html`<label
          ><input
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

/** Where the browser goes next, in words, and as the page's policy has to allow it. */
function describeTarget(redirectUri: string) {
  const { protocol, host, hostname, origin } = new URL(redirectUri);
  const isWeb = protocol === "https:" || protocol === "http:";
  const isLocal = !isWeb || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (!isWeb)
    return { target: `a program on this device (${protocol})`, formTarget: protocol, isLocal };
  return { target: host, formTarget: origin, isLocal };
}

const shownStatuses = [403, 404, 409, 422, 429] as const;

/** Pages tell people what programs are told by problem documents. */
export async function orProblemPage(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "unavailable") throw error;
    const { status } = errorCodes[error.code];
    return toProblemPage(shownStatuses.find((shown) => shown === status) ?? 400, error.message);
  }
}
