import { errorCodes } from "@toolhost/contract";
import type { Context as HonoContext, Hono } from "hono";
import { generateCookie, getCookie, setCookie } from "hono/cookie";
import { html } from "hono/html";
import { comeBack, cookieSuffixOf, goToProvider, offerAttempt, offerConnection } from "#core/vault";
import type { Offer, Visit } from "#core/vault";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { Door } from "#rest";
import { needsSection, toolSection } from "./approval-sections.ts";
import { redirectTo } from "./auth-client.ts";
import { messages } from "./messages.ts";
import { toPage, toProblemPage } from "./page.ts";
import { signInPath, withNext } from "./sign-in.ts";

const texts = messages.connection;

type RouteContext = HonoContext<Door>;

const startPath = "/oauth2/connect";
const callbackPath = "/oauth2/callback";
const cookieSeconds = 600;

/** The pages on which a user connects a credential: the OAuth redirect to a provider, and its callback. */
export function mountConnectionPages(app: Hono<Door>, context: Context): void {
  app.get(startPath, (c) =>
    asPage(c, startPath, async () => {
      const credentialId = c.req.query("credential") ?? "";
      const tool = c.req.query("tool");
      return toOffer(await offerConnection(context, visitOf(c), { credentialId, tool }));
    }),
  );
  app.get(`${startPath}/:ticket`, (c) =>
    asPage(c, `${startPath}/{ticket}`, async () => {
      const ticket = c.req.param("ticket");
      // After sign-in. The page's CSP (form-action) blocks a form redirect to another site, so the user follows a link.
      if (c.req.query("ask") !== undefined) {
        return toOffer(await offerAttempt(context, visitOf(c), ticket));
      }
      return startAuthorization(context, c, ticket);
    }),
  );
  app.get(callbackPath, (c) => asPage(c, callbackPath, () => handleCallback(context, c)));
}

async function startAuthorization(
  context: Context,
  c: RouteContext,
  ticket: string,
): Promise<Response> {
  const { location, browserSecret, cookieSuffix } = await goToProvider(context, visitOf(c), ticket);
  const { name, options } = cookieOf(context, cookieSuffix);
  setCookie(c, name, browserSecret, { ...options, maxAge: cookieSeconds });
  // Without this, the provider would receive the ticket in Referer.
  c.header("referrer-policy", "no-referrer");
  c.header("cache-control", "no-store");
  return c.redirect(location, 302);
}

async function handleCallback(context: Context, c: RouteContext): Promise<Response> {
  const { searchParams: parameters } = new URL(c.req.url);
  const { name: cookie, options } = cookieOf(
    context,
    cookieSuffixOf(parameters.get("state") ?? ""),
  );
  const browserSecret = getCookie(c, cookie);
  const visit = { ...visitOf(c), parameters, browserSecret };
  const { name, owner, workspaceId, approval } = await comeBack(context, visit);
  const cleared = generateCookie(cookie, "", { ...options, maxAge: 0 });
  const body = html`<h1>${texts.doneTitle}</h1>
    <p>
      ${texts.done(name)}
      ${approval?.isApproved === true ? texts.approved(approval.version, approval.tool) : ""}
      ${messages.page.closeWindow}
    </p>
    ${
      approval?.isApproved === false
        ? html`<p class="problem">${texts.toolChanged}</p>
            <p>
              <a
                class="action"
                href="/tools/${approval.tool}?approve&owner=${owner}&workspace=${workspaceId}"
                >${texts.review(approval.tool)}</a
              >
            </p>`
        : ""
    }`;
  return toPage({ title: texts.doneTitle, body, headers: { "set-cookie": cleared } });
}

/** The `__Host-` prefix prevents other hosts of the domain from setting the cookie; browsers accept it over HTTPS only. */
function cookieOf({ config }: Context, suffix: string) {
  const secure = config.baseUrl.startsWith("https://");
  const options = { path: "/", httpOnly: true, sameSite: "Lax", secure } as const;
  return { name: `${secure ? "__Host-" : ""}toolhost_connect_${suffix}`, options };
}

function visitOf(c: RouteContext): Visit {
  return { headers: c.req.raw.headers, origin: c.get("origin") };
}

function toOffer(offer: Offer): Promise<Response> {
  const { name, isShared, hosts, providerHost, connectUrl, approval } = offer;
  const body = html`<h1>${texts.title(name)}?</h1>
    <p>${texts.lead(providerHost, isShared)}</p>
    <dl>
      <dt>${texts.hosts}</dt>
      ${hosts.map((host) => html`<dd>${host}</dd>`)}
    </dl>
    ${
      approval === undefined
        ? ""
        : html`<h2>${texts.alsoApproves(approval.version, approval.tool.title)}</h2>
            ${toolSection(approval)} ${needsSection(approval.wanted, approval.wanted)}`
    }
    <p>
      <a class="action" href="${connectUrl}" rel="noreferrer">${texts.continue(providerHost)}</a>
    </p>`;
  return toPage({ title: texts.title(name), body });
}

/** Shows errors as pages, and redirects to sign-in first. */
async function asPage(
  c: RouteContext,
  route: string,
  respond: () => Promise<Response>,
): Promise<Response> {
  c.set("route", route);
  try {
    return await respond();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "unauthenticated") return toSignIn(c);
    const { status } = errorCodes[error.code];
    const isShown = status === 403 || status === 404 || status === 422 || status === 503;
    return toProblemPage(isShown ? status : 400, error.message);
  }
}

function toSignIn(c: RouteContext): Response {
  const { pathname, search } = new URL(c.req.url);
  const next = pathname.startsWith(`${startPath}/`) ? `${pathname}?ask` : pathname + search;
  return redirectTo(withNext(signInPath, next));
}
