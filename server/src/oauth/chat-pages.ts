import type { Context as HonoContext, Hono } from "hono";
import { html } from "hono/html";
import { authorizeInstall, completeInstall, offerChatLink, takeChatLink } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { AppEnv } from "#rest";
import { chatFormPath, showChatForm, submitChatForm } from "./chat-form-page.ts";
import { redirectTo } from "./auth-client.ts";
import { hidden } from "./fields.ts";
import { messages } from "./messages.ts";
import { toPage } from "./page.ts";
import { orProblemPage, pageStatus } from "./problem-page.ts";
import { readCallback, redirectToProvider, visitOf } from "./provider-redirect.ts";
import { readForm } from "./read-form.ts";
import { signInPath, withNext } from "./sign-in.ts";

const texts = messages.chat;

type RouteContext = HonoContext<AppEnv>;

const installPath = "/bot/:platform/install";
const callbackPath = "/bot/:platform/callback";
const linkPath = "/bot/link";

/**
 * The pages on which an admin connects a chat team (OAuth redirect and callback), and a user links a chat account or
 * fills in the form of a tool.
 */
export function mountChatPages(app: Hono<AppEnv>, context: Context): void {
  app.get(linkPath, (c) => asPage(c, linkPath, () => showLink(context, c)));
  app.post(linkPath, (c) => asPage(c, linkPath, () => submitLink(context, c)));
  app.get(chatFormPath, (c) => asPage(c, chatFormPath, () => showChatForm(context, c)));
  app.post(chatFormPath, (c) => asPage(c, chatFormPath, () => submitChatForm(context, c)));
  app.get(installPath, (c) =>
    asPage(c, installPath, () => startAuthorization(context, c, c.req.param("platform"))),
  );
  app.get(callbackPath, (c) =>
    asPage(c, callbackPath, () => handleCallback(context, c, c.req.param("platform"))),
  );
}

async function startAuthorization(
  context: Context,
  c: RouteContext,
  platform: string,
): Promise<Response> {
  const url = new URL(c.req.url);
  // After sign-in. The page's CSP (form-action) blocks a form redirect to another site, so the user follows a link.
  if (url.searchParams.has("ask")) {
    url.searchParams.delete("ask");
    const title = texts.connectTitle(
      context.chat.platforms.get(platform)?.label ?? texts.unknownPlatform,
    );
    const body = html`<h1>${title}</h1>
      <p>${texts.signedIn}</p>
      <p>
        <a class="ui-button primary wide" href="${url.pathname + url.search}">${texts.continue}</a>
      </p>`;
    return toPage({ title, body });
  }
  const ticket = url.searchParams.get("ticket") ?? "";
  const redirect = await authorizeInstall(context, visitOf(c), { platform, ticket });
  return redirectToProvider(context, c, redirect);
}

async function handleCallback(
  context: Context,
  c: RouteContext,
  platform: string,
): Promise<Response> {
  const { callback, headers } = readCallback(context, c);
  const back = html`<p><a href="/settings">${texts.settings}</a></p>`;
  try {
    const { teamName } = await completeInstall(context, platform, callback);
    const body = html`<h1>${texts.connectedTitle}</h1>
      <p>${texts.connected(teamName)}</p>
      ${back}`;
    return toPage({ title: texts.connectedTitle, body, headers });
  } catch (error) {
    if (!(error instanceof ServiceError) || !refusals.has(error.code)) throw error;
    const body = html`<h1>${texts.notConnectedTitle}</h1>
      <p role="alert">${error.message}</p>
      ${back}`;
    return toPage({ title: texts.notConnectedTitle, body, headers, status: pageStatus(error) });
  }
}

/** Why a team was not connected, as opposed to problems of the callback itself. */
const refusals: ReadonlySet<string> = new Set([
  "connection_failed",
  "forbidden",
  "chat_team_taken",
]);

async function showLink(context: Context, c: RouteContext): Promise<Response> {
  const token = c.req.query("token") ?? "";
  const offer = await offerChatLink(context, c.req.raw.headers, token);
  const { platform, teamName, chatUserName, chatUserId, person } = offer;
  const path = `${linkPath}?token=${encodeURIComponent(token)}`;
  const body = html`<h1>${texts.linkHeading(platform)}</h1>
    <dl>
      <dt>${texts.chat}</dt>
      <dd><bdi>${teamName}</bdi></dd>
      <dt>${texts.user}</dt>
      <dd><bdi>${chatUserName}</bdi> <small>(${chatUserId})</small></dd>
      <dt>${messages.page.signedInAs}</dt>
      <dd>
        ${person.email}
        <small>(<a href="${withNext(signInPath, path)}">${messages.page.notYou}</a>)</small>
      </dd>
    </dl>
    <p>${texts.linkWarning}</p>
    <form method="post" action="${linkPath}">
      ${hidden("token", token)} ${hidden("person", person.id)}
      <button type="submit" class="ui-button primary wide">${texts.linkSubmit}</button>
    </form>
    <p class="soft">${texts.unexpectedLink}</p>`;
  return toPage({ title: texts.linkTitle, body });
}

async function submitLink(context: Context, c: RouteContext): Promise<Response> {
  const form = await readForm(context, c.req.raw);
  const input = { token: form.get("token") ?? "", personId: form.get("person") ?? "" };
  await takeChatLink(context, visitOf(c), input);
  const body = html`<h1>${texts.linkedTitle}</h1>
    <p>${texts.linked}</p>
    <p class="soft"><a href="/profile">${texts.manage}</a></p>`;
  return toPage({ title: texts.linkedTitle, body });
}

/** Shows errors as pages, and redirects to sign-in first. */
function asPage(
  c: RouteContext,
  route: string,
  respond: () => Promise<Response>,
): Promise<Response> {
  c.set("route", route.replace(":platform", "{platform}"));
  return orProblemPage(async () => {
    try {
      return await respond();
    } catch (error) {
      const mustSignIn = error instanceof ServiceError && error.code === "unauthenticated";
      if (!mustSignIn || c.req.method !== "GET") throw error;
      return redirectTo(withNext(signInPath, pathAfterSignIn(new URL(c.req.url))));
    }
  });
}

/** Returns to the same URL after sign-in, so that a callback with a valid state still counts. */
function pathAfterSignIn(url: URL): string {
  if (url.pathname.endsWith("/install")) url.searchParams.set("ask", "");
  return url.pathname + url.search;
}
