import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Provider } from "oidc-provider";

/** An OpenID Connect provider at which one user is always signed in. */
export type IdentityProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The user who signs in next. */
  person: { sub: string; email: string; emailVerified: boolean; name: string };
  close(): Promise<void>;
};

/** Starts a provider on this machine with one client, identified by its redirect URI. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const person = { sub: "one", email: "", emailVerified: true, name: "Sol" };
  const [clientId, clientSecret] = ["toolhost", "client-secret-of-the-test"];
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ["a key of the test"] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: person.email,
        email_verified: person.emailVerified,
        name: person.name,
      }),
    }),
  });
  const library = provider.callback();
  server.on("request", (request, response) => {
    const isAsked = request.url?.startsWith("/interaction/") === true;
    const work = isAsked
      ? decide(provider, person.sub, request, response)
      : library(request, response);
    work.catch(() => response.destroy());
  });
  return {
    issuer,
    clientId,
    clientSecret,
    person,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Makes the decision that a page would request from the user. */
async function decide(
  provider: Provider,
  accountId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId } });
    return;
  }
  const grant = new provider.Grant({ accountId, clientId: String(params["client_id"]) });
  grant.addOIDCScope("openid email profile");
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(
    request,
    response,
    { consent },
    { mergeWithLastSubmission: true },
  );
}
