import type { Context as HonoContext, Hono } from "hono";
import { html } from "hono/html";
import { authorizeInstall, completeInstall, offerChatLink, takeChatLink } from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { Door } from "#rest";
import { leadOn } from "./ask-sign-in.ts";
import { orProblemPage } from "./consent.ts";
import { hidden } from "./fields.ts";
import { readForm } from "./form.ts";
import { toPage } from "./page.ts";
import { readCallback, redirectToProvider, visitOf } from "./provider-redirect.ts";
import { signInPath, withNext } from "./sign-in.ts";

type DoorContext = HonoContext<Door>;

const installPath = "/bot/:platform/install";
const callbackPath = "/bot/:platform/callback";
const linkPath = "/bot/link";

/** The way of an admin's browser to a chat platform and back, and the page on which chat users say who they are. */
export function mountChatPages(door: Hono<Door>, context: Context): void {
  door.get(linkPath, (c) => asPage(c, linkPath, () => showLink(context, c)));
  door.post(linkPath, (c) => asPage(c, linkPath, () => takeLink(context, c)));
  door.get(installPath, (c) =>
    asPage(c, installPath, () => depart(context, c, c.req.param("platform"))),
  );
  door.get(callbackPath, (c) =>
    asPage(c, callbackPath, () => arrive(context, c, c.req.param("platform"))),
  );
}

async function depart(context: Context, c: DoorContext, platform: string): Promise<Response> {
  const url = new URL(c.req.url);
  // After signing in: a form's answer must not lead to another site, so the person goes on by a link.
  if (url.searchParams.has("ask")) {
    url.searchParams.delete("ask");
    const title = `Connect ${context.chat.platforms.get(platform)?.label ?? "a chat"}`;
    const body = html`<h1>${title}</h1>
      <p>You are signed in now, and choose there what is connected.</p>
      <p><a class="action" href="${url.pathname + url.search}">Go on</a></p>`;
    return toPage({ title, body });
  }
  const ticket = url.searchParams.get("ticket") ?? "";
  const redirect = await authorizeInstall(context, visitOf(c), { platform, ticket });
  return redirectToProvider(context, c, redirect);
}

async function arrive(context: Context, c: DoorContext, platform: string): Promise<Response> {
  const { callback, headers } = readCallback(context, c);
  const { teamName } = await completeInstall(context, platform, callback);
  const body = html`<h1>Connected</h1>
    <p>${teamName} is connected. Mention the bot in a channel that it is in, and ask it there.</p>
    <p><a href="/settings">Back to the settings</a></p>`;
  return toPage({ title: "Connected", body, headers });
}

async function showLink(context: Context, c: DoorContext): Promise<Response> {
  const token = c.req.query("token") ?? "";
  const offer = await offerChatLink(context, c.req.raw.headers, token);
  const { platform, teamName, chatUserName, chatUserId, person } = offer;
  const here = `${linkPath}?token=${encodeURIComponent(token)}`;
  const body = html`<h1>Is this you in ${platform}?</h1>
    <dl>
      <dt>Team</dt>
      <dd><bdi>${teamName}</bdi></dd>
      <dt>User</dt>
      <dd><bdi>${chatUserName}</bdi> <small>(${chatUserId})</small></dd>
      <dt>You are signed in as</dt>
      <dd>
        ${person.email} <small>(<a href="${withNext(signInPath, here)}">not you?</a>)</small>
      </dd>
    </dl>
    <p>
      Whoever uses that chat account will run tools in your name here, with your credentials. Go on
      only if you asked the bot for this link yourself: people choose their names in a chat, so the
      name may be yours and the account somebody else's.
    </p>
    <form method="post" action="${linkPath}">
      ${hidden("token", token)} ${hidden("person", person.id)}
      <button type="submit">Yes, link my account</button>
    </form>
    <p class="soft">If somebody sent you this link, close this window.</p>`;
  return toPage({ title: "Link your account", body });
}

async function takeLink(context: Context, c: DoorContext): Promise<Response> {
  const form = await readForm(context, c.req.raw);
  const asked = { token: form.get("token") ?? "", personId: form.get("person") ?? "" };
  await takeChatLink(context, visitOf(c), asked);
  const body = html`<h1>Linked</h1>
    <p>Ask the bot again in your chat.</p>
    <p class="soft">You can undo this on <a href="/profile">your profile</a>.</p>`;
  return toPage({ title: "Linked", body });
}

/** Tells people in words what programs are told by problem documents, and lets them sign in first. */
function asPage(c: DoorContext, route: string, answer: () => Promise<Response>): Promise<Response> {
  c.set("route", route.replace(":platform", "{platform}"));
  return orProblemPage(async () => {
    try {
      return await answer();
    } catch (error) {
      const mustSignIn = error instanceof ServiceError && error.code === "unauthenticated";
      if (!mustSignIn || c.req.method !== "GET") throw error;
      return leadOn(withNext(signInPath, comeBackTo(new URL(c.req.url))));
    }
  });
}

/** A platform's answer, whose state is still good, is not lost by signing in on the way. */
function comeBackTo(url: URL): string {
  if (url.pathname.endsWith("/install")) url.searchParams.set("ask", "");
  return url.pathname + url.search;
}
