import { errorCodes } from "@toolhost/contract";
import type { Context as HonoContext, Hono } from "hono";
import { html } from "hono/html";
import {
  authorizeConnection,
  completeConnection,
  offerAttempt,
  offerConnection,
} from "#core/vault";
import type { Offer } from "#core/vault";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { Door } from "#rest";
import { needsBlock, toolBlock } from "./approval-blocks.ts";
import { leadOn } from "./ask-sign-in.ts";
import { toPage, toProblemPage } from "./page.ts";
import { readCallback, redirectToProvider, visitOf } from "./provider-redirect.ts";
import { signInPath, withNext } from "./sign-in.ts";

type DoorContext = HonoContext<Door>;

const startPath = "/oauth2/connect";
const callbackPath = "/oauth2/callback";

/** The way of a person's browser to a provider and back, to connect a credential. */
export function mountConnections(door: Hono<Door>, context: Context): void {
  door.get(startPath, (c) =>
    asPage(c, startPath, async () => {
      const credentialId = c.req.query("credential") ?? "";
      const tool = c.req.query("tool");
      return toOffer(await offerConnection(context, visitOf(c), { credentialId, tool }));
    }),
  );
  door.get(`${startPath}/:ticket`, (c) =>
    asPage(c, `${startPath}/{ticket}`, async () => {
      const ticket = c.req.param("ticket");
      // After signing in: a form's answer must not lead to another site, so the person goes on by a link.
      if (c.req.query("ask") !== undefined) {
        return toOffer(await offerAttempt(context, visitOf(c), ticket));
      }
      return redirectToProvider(context, c, await authorizeConnection(context, visitOf(c), ticket));
    }),
  );
  door.get(callbackPath, (c) => asPage(c, callbackPath, () => arrive(context, c)));
}

async function arrive(context: Context, c: DoorContext): Promise<Response> {
  const { callback, headers } = readCallback(context, c);
  const { name, owner, workspaceId, approval } = await completeConnection(context, callback);
  const body = html`<h1>Connected</h1>
    <p>
      ${name} is connected.
      ${
        approval?.isApproved === true
          ? `Version ${approval.version} of ${approval.tool} is approved.`
          : ""
      }
      You may close this window.
    </p>
    ${
      approval?.isApproved === false
        ? html`<p class="problem">
              The tool changed meanwhile, so nothing was approved yet. Look at what it asks for now.
            </p>
            <p>
              <a
                class="action"
                href="/tools/${approval.tool}?approve&owner=${owner}&workspace=${workspaceId}"
                >Review ${approval.tool}</a
              >
            </p>`
        : ""
    }`;
  return toPage({ title: "Connected", body, headers });
}

function toOffer(offer: Offer): Promise<Response> {
  const { name, isShared, hosts, providerHost, connectUrl, approval } = offer;
  const whose = isShared ? "of the workspace, for all its members" : "of yours";
  const body = html`<h1>Connect ${name}?</h1>
    <p>${providerHost} will ask you to agree. What it gives becomes a credential ${whose}.</p>
    <dl>
      <dt>Tools may send it to</dt>
      ${hosts.map((host) => html`<dd>${host}</dd>`)}
    </dl>
    ${
      approval === undefined
        ? ""
        : html`<h2>
              Connecting also approves version ${approval.version} of ${approval.tool.title}
            </h2>
            ${toolBlock(approval)} ${needsBlock(approval.wanted, approval.wanted)}`
    }
    <p><a class="action" href="${connectUrl}" rel="noreferrer">Go on to ${providerHost}</a></p>`;
  return toPage({ title: `Connect ${name}`, body });
}

/** Tells people in words what programs are told by problem documents, and lets them sign in first. */
async function asPage(
  c: DoorContext,
  route: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  c.set("route", route);
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "unauthenticated") return toSignIn(c);
    const { status } = errorCodes[error.code];
    const shown = status === 403 || status === 404 || status === 422 || status === 503;
    return toProblemPage(shown ? status : 400, error.message);
  }
}

function toSignIn(c: DoorContext): Response {
  const { pathname, search } = new URL(c.req.url);
  const next = pathname.startsWith(`${startPath}/`) ? `${pathname}?ask` : pathname + search;
  return leadOn(withNext(signInPath, next));
}
