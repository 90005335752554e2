import { errorCodes } from "@toolhost/contract";
import type { Context as HonoContext, Hono } from "hono";
import { html } from "hono/html";
import {
  authorizeConnection,
  clientDocument,
  clientDocumentPath,
  completeConnection,
  offerAttempt,
  offerConnection,
} from "#core/vault";
import type { Offer } from "#core/vault";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { AppEnv } from "#rest";
import { needsSection, toolSection } from "./approval-sections.ts";
import { redirectTo } from "./auth-client.ts";
import { messages } from "./messages.ts";
import { toPage, toProblemPage } from "./page.ts";
import { readCallback, redirectToProvider, visitOf } from "./provider-redirect.ts";
import { signInPath, withNext } from "./sign-in.ts";

const texts = messages.connection;

type RouteContext = HonoContext<AppEnv>;

const startPath = "/oauth2/connect";
const callbackPath = "/oauth2/callback";

/** The pages on which a user connects a credential: the OAuth redirect to a provider, and its callback. */
export function mountConnectionPages(app: Hono<AppEnv>, context: Context): void {
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
      return redirectToProvider(context, c, await authorizeConnection(context, visitOf(c), ticket));
    }),
  );
  app.get(clientDocumentPath, (c) => {
    c.set("route", clientDocumentPath);
    return c.json(clientDocument(context));
  });
  app.get(callbackPath, (c) => asPage(c, callbackPath, () => handleCallback(context, c)));
}

async function handleCallback(context: Context, c: RouteContext): Promise<Response> {
  const { callback, headers } = readCallback(context, c);
  const { name, owner, workspaceId, approval } = await completeConnection(context, callback);
  const body = html`<h1>${texts.doneTitle}</h1>
    <p>
      ${texts.done(name)}
      ${approval?.isApproved === true ? texts.approved(approval.version, approval.tool) : ""}
      ${messages.page.closeWindow}
    </p>
    ${
      approval?.isApproved === false
        ? html`<p class="ui-note bad">${texts.toolChanged}</p>
            <p>
              <a
                class="ui-button primary wide"
                href="/tools/${approval.tool}?approve&owner=${owner}&workspace=${workspaceId}"
                >${texts.review(approval.tool)}</a
              >
            </p>`
        : ""
    }`;
  return toPage({ title: texts.doneTitle, body, headers });
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
            ${toolSection(approval)} ${needsSection(approval.requested, approval.requested)}`
    }
    <p>
      <a class="ui-button primary wide" href="${connectUrl}" rel="noreferrer"
        >${texts.continue(providerHost)}</a
      >
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
