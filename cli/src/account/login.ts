import process from "node:process";
import type { Session } from "../session.ts";
import { changeAccounts, checkStorage, findAccount, readAccounts } from "./accounts.ts";
import { clientOf, findAddress } from "./connect.ts";
import { startLoopback } from "./loopback.ts";
import { createAuthorization, discover, registerClient, requestTokens } from "./oauth.ts";
import { openBrowser } from "./open-browser.ts";

type Flags = { browser: boolean; scope?: string };

/** Without `credentials:write`, a push approves nothing: the owners of credentials do, on the page that the push links to. */
const usualScopes = "mcp:read mcp:execute tools:write";
const timeoutMs = 10 * 60_000;

/** Signs in with a browser, and stores the tokens for this address only. */
export async function login(
  session: Session,
  { browser, scope = usualScopes }: Flags,
): Promise<void> {
  const { env, flags, terminal } = session;
  const { url: address } = await findAddress(session);
  await checkStorage(env);
  const server = await discover(address, { isInsecure: flags.insecure === true });
  const earlier = findAccount(await readAccounts(env), address);
  const loopback = await startLoopback(timeoutMs);
  try {
    const { redirectUri } = loopback;
    const clientId =
      earlier?.tokenEndpoint === server.tokenEndpoint
        ? earlier.clientId
        : await registerClient(server, redirectUri);
    const request = createAuthorization(server, { clientId, redirectUri, scope });
    // The address is needed even with --json, and is no result.
    process.stderr.write(`Open this address to sign in:\n\n${request.url}\n\n`);
    if (browser) openBrowser(request.url);
    const waiting = terminal.wait("Waiting for the browser");
    const code = await loopback
      .receive({ ...server, state: request.state })
      .finally(() => waiting.done());
    const tokens = await requestTokens(server.tokenEndpoint, {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      code_verifier: request.verifier,
      redirect_uri: redirectUri,
      resource: server.resource,
    });
    const { tokenEndpoint, revocationEndpoint, resource } = server;
    const account = { clientId, ...tokens, tokenEndpoint, revocationEndpoint, resource };
    await changeAccounts(env, ({ accounts }, save) =>
      save({ latest: address, accounts: { ...accounts, [address]: account } }),
    );
    const client = clientOf(address, tokens.accessToken);
    const me = await client.request("GET /me");
    const { user, workspace, scopes } = me;
    terminal.result({ address, user, workspace, scopes }, () => [
      `Signed in to ${address} as ${user.email}, in the workspace ${workspace.name}.`,
    ]);
  } finally {
    loopback.close();
  }
}
