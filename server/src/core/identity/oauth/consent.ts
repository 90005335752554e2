import type { IncomingMessage, ServerResponse } from "node:http";
import type { InteractionResults } from "oidc-provider";
import { findMemberships, findPerson } from "../access/workspace-store.ts";
import { scopesOfRole, ServiceError } from "#core/kernel";
import type { RequestOrigin } from "#core/kernel";
import type { IdentityContext } from "../context.ts";
import { findResource, mcpScopes } from "./resources.ts";
import type { ClientScope, ResourceName } from "./resources.ts";
import { saveGrant } from "./save-grant.ts";

/** A request and response of Node.js, as the authorization server requires them. */
export type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse };

type Session = { userId: string; sessionId: string };

/** What the user is asked to allow. */
export type ConsentRequest = {
  id: string;
  clientId: string;
  clientName: string;
  clientUri: string | undefined;
  redirectUri: string;
  resource: ResourceName;
  scopes: readonly ClientScope[];
};

/** A user, and the workspaces in which they may allow an app to act. */
export type Chooser = {
  userId: string;
  email: string;
  workspaces: readonly { id: string; name: string }[];
};

/**
 * The authorization request in this browser. Throws `not_found` if there is none, if it is not the one that the page
 * showed, or if it was decided already.
 */
export async function findConsentRequest(
  context: IdentityContext,
  { incoming, outgoing }: Exchange,
  id: string,
): Promise<ConsentRequest> {
  const provider = await context.authorizationServer.provider();
  const { errors } = await import("./library.ts");
  try {
    const details = await provider.interactionDetails(incoming, outgoing);
    const { client_id: clientId, redirect_uri: redirectUri, resource, scope } = details.params;
    const client = await provider.Client.find(String(clientId));
    const isOpen = details.uid === id && details.result === undefined;
    if (!isOpen || client === undefined) throw new errors.SessionNotFound("not open");
    const asked = typeof scope === "string" ? scope.split(" ") : [];
    const target = findResource(context.config, String(resource));
    if (target === undefined) throw new errors.InvalidTarget();
    const known = target.scopes.filter((name) => asked.includes(name));
    return {
      id,
      clientId: client.clientId,
      clientName: client.clientName ?? new URL(String(redirectUri)).host,
      clientUri: client.clientUri,
      redirectUri: String(redirectUri),
      resource: target.name,
      scopes: known.length === 0 ? mcpScopes : known,
    };
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error;
    throw new ServiceError(
      "not_found",
      "This sign-in request has expired or was already completed. Start again in the app.",
      { cause: error },
    );
  }
}

/** The user of a session, and the workspaces in which they may allow an app to act. */
export async function findChooser(context: IdentityContext, session: Session): Promise<Chooser> {
  const [person, memberships] = await Promise.all([
    findPerson(context.db, session.userId),
    findMemberships(context.db, session.userId),
  ]);
  return {
    userId: session.userId,
    email: person?.email ?? "",
    workspaces: memberships
      .filter(({ role }) => scopesOfRole(role).has("mcp:read"))
      .map(({ workspace_id: id, name }) => ({ id, name })),
  };
}

type Decision = { workspaceId: string; scopes: readonly ClientScope[] };

/**
 * Lets the app act for the user in one workspace, and returns the URL to which to redirect the browser. Throws
 * `forbidden` if the user cannot decide for that workspace.
 */
export async function allowApp(
  context: IdentityContext,
  exchange: Exchange,
  request: ConsentRequest,
  session: Session,
  origin: RequestOrigin,
  decision: Decision,
): Promise<string> {
  const chooser = await findChooser(context, session);
  if (!chooser.workspaces.some(({ id }) => id === decision.workspaceId)) {
    throw new ServiceError(
      "forbidden",
      "You are not a member of this workspace. Choose another one.",
    );
  }
  const scopes = request.scopes.filter((name) => decision.scopes.includes(name));
  if (scopes.length === 0) {
    throw new ServiceError("invalid_request", "Select at least one permission, or decline.");
  }
  const grantId = await saveGrant(context, {
    session,
    origin,
    workspaceId: decision.workspaceId,
    client: {
      id: request.clientId,
      name: request.clientName,
      uri: request.clientUri,
      redirectUri: request.redirectUri,
    },
    resource: request.resource,
    scopes,
  });
  return finish(context, exchange, {
    login: { accountId: session.userId, remember: false },
    consent: { grantId },
    select_account: {},
  });
}

/** Reports to the app that the user declined, and returns the URL to which to redirect the browser. */
export async function declineApp(context: IdentityContext, exchange: Exchange): Promise<string> {
  return finish(context, exchange, {
    error: "access_denied",
    error_description: "The user declined the request",
  });
}

async function finish(
  context: IdentityContext,
  { incoming, outgoing }: Exchange,
  result: InteractionResults,
): Promise<string> {
  const provider = await context.authorizationServer.provider();
  return provider.interactionResult(incoming, outgoing, result);
}
