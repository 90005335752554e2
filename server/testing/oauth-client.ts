import { createHash, randomBytes } from "node:crypto";
import type { TestService } from "./service.ts";

/** A browser without a display: stores cookies by path, and follows no redirect automatically. */
export type Browser = {
  get(url: string): Promise<Response>;
  /** Submits a form as a page of `origin` would; by default as a page of the server. */
  post(
    url: string,
    form: Record<string, string | string[]>,
    headers?: Record<string, string>,
  ): Promise<Response>;
};

export function createBrowser({ baseUrl }: Pick<TestService, "baseUrl">): Browser {
  const jar = new Map<string, { value: string; path: string }>();
  const send = async (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address, baseUrl);
    const cookie = [...jar]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(" ")[0]}=${value}`)
      .join("; ");
    const headers = { accept: "text/html", cookie, ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? "/";
      if (value === "") jar.delete(`${name} ${path}`);
      else jar.set(`${name} ${path}`, { value, path });
    }
    return response;
  };
  return {
    get: (url) => send(url, {}),
    post: (url, form, headers = {}) => {
      const body = new URLSearchParams();
      for (const [name, values] of Object.entries(form)) {
        for (const value of [values].flat()) body.append(name, value);
      }
      return send(url, { method: "POST", body, headers: { origin: baseUrl, ...headers } });
    },
  };
}

/** A challenge and its verifier (RFC 7636). */
export function makePkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export const redirectUri = "http://127.0.0.1:33418/callback";

/** Registers a public client. */
export async function registerClient(
  { baseUrl }: Pick<TestService, "baseUrl">,
  metadata: Record<string, unknown> = {},
): Promise<{ status: number; body: Record<string, unknown>; clientId: string }> {
  const response = await fetch(`${baseUrl}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Test client",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "none",
      ...metadata,
    }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, body, clientId: String(body["client_id"]) };
}

export type Asked = { clientId: string; challenge: string } & Record<string, string | undefined>;

/** The URL that starts an authorization; `undefined` omits a parameter. */
export function authorizeUrl(
  test: Pick<TestService, "baseUrl" | "service">,
  { clientId, challenge, ...rest }: Asked,
): string {
  const url = new URL("/oauth/authorize", test.baseUrl);
  const parameters: Record<string, string | undefined> = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "mcp:read mcp:execute",
    state: "the state",
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: `${test.service.context.config.mcpUrl}/api/mcp`,
    ...rest,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

export type Person = { email: string; password: string };

/** Opens a consent page, signing in on the way, and returns its content. */
export async function reachConsent(
  browser: Browser,
  url: string,
  person: Person,
): Promise<{ status: number; text: string; fields: Record<string, string>; headers: Headers }> {
  let response = await browser.get(url);
  let location = response.headers.get("location") ?? "";
  if (location.includes("/oauth/consent")) {
    const consent = location;
    response = await browser.get(consent);
    location = response.headers.get("location") ?? "";
    if (location.startsWith("/sign-in")) {
      const signedIn = await browser.post("/sign-in", { ...person, next: consent });
      if (signedIn.status !== 303) throw new Error(`Could not sign in: ${await signedIn.text()}`);
      response = await browser.get(signedIn.headers.get("location") ?? "");
    }
  }
  const text = await response.text();
  const fields = Object.fromEntries(
    [...text.matchAll(/name="(uid|person|workspace)"\s+value="([^"]*)"/g)].map((match) => [
      match[1] ?? "",
      match[2] ?? "",
    ]),
  );
  return { status: response.status, text, fields, headers: response.headers };
}

/** Follows redirects back to the client, and returns the final URL. */
export async function followToClient(browser: Browser, answer: Response): Promise<URL> {
  let response = answer;
  for (let hops = 0; hops < 5; hops++) {
    const location = response.headers.get("location");
    if (location === null)
      throw new Error(`No way on: ${response.status} ${await response.text()}`);
    const url = new URL(location, answer.url);
    if (url.origin !== new URL(answer.url).origin) return url;
    response = await browser.get(url.href);
  }
  throw new Error("The browser goes round in circles");
}

/** Allows everything that the client requests. */
export async function allow(
  browser: Browser,
  url: string,
  person: Person,
  changes: Record<string, string | string[]> = {},
): Promise<URL> {
  const { fields, status, text } = await reachConsent(browser, url, person);
  if (fields["uid"] === undefined) throw new Error(`No consent page: ${status} ${text}`);
  const answer = await browser.post("/oauth/consent", {
    ...fields,
    scope: ["mcp:read", "mcp:execute"],
    decision: "allow",
    ...changes,
  });
  return followToClient(browser, answer);
}

export type TokenAnswer = {
  status: number;
  headers: Headers;
  body: {
    access_token: string;
    refresh_token: string;
    expires_in: number;
    scope: string;
    token_type: string;
    error: string;
  };
};

export async function askToken(
  { baseUrl }: Pick<TestService, "baseUrl">,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(form),
    headers,
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as TokenAnswer["body"],
  };
}

/** The whole flow: registration, authorization, sign-in, consent and token request. */
export async function connectClient(
  test: TestService,
  person: Person,
  changes: Record<string, string | undefined> = {},
): Promise<{ clientId: string; tokens: TokenAnswer["body"]; browser: Browser; code: string }> {
  const { clientId } = await registerClient(test);
  const browser = createBrowser(test);
  const { verifier, challenge } = makePkce();
  const url = authorizeUrl(test, { clientId, challenge, ...changes });
  const back = await allow(browser, url, person);
  const code = back.searchParams.get("code") ?? "";
  const { status, body } = await askToken(test, {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
  if (status !== 200) throw new Error(`No token: ${JSON.stringify(body)}`);
  return { clientId, tokens: body, browser, code };
}

/** Requests new tokens with a refresh token. */
export function refresh(
  test: Pick<TestService, "baseUrl">,
  clientId: string,
  refreshToken: string,
  more: Record<string, string> = {},
): Promise<TokenAnswer> {
  return askToken(test, {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: refreshToken,
    ...more,
  });
}
