import { randomUUID } from "node:crypto";
import * as oauth from "oauth4webapi";
import { failingTool, sampleCredential } from "../seed/tools.ts";
import { draftOf, expectStatus } from "./server.ts";
import type { Server } from "./server.ts";

/** Paths by the name of their picture. */
export type Pages = Readonly<Record<string, string>>;

/** Pages with fixed paths. */
const pagesOfAll: Pages = {
  tools: "/",
  overview: "/overview",
  search: "/?q=read+a+web+page+or+wether",
  catalog: "/catalog",
  drafts: "/drafts",
  imports: "/imports",
  runs: "/runs",
  credentials: "/credentials",
  "api-keys": "/api-keys",
  install: "/install",
  "connected-apps": "/connected-apps",
  access: "/access",
  members: "/members",
  settings: "/settings",
  webhooks: "/webhooks",
  alerts: "/alerts",
  audit: "/audit",
  profile: "/profile",
  reference: "/reference",
  operation: "/reference?operation=createAlert",
  "try-operation": "/reference?operation=runTool&tab=try",
  "not-found": "/no-such-page",
};

/** Pages that are shown before sign-in. */
const publicPages: Pages = {
  "sign-in": "/sign-in",
  "sign-in-code": "/sign-in/code",
  "sign-up": "/sign-up",
  "forgot-password": "/forgot-password",
};

const weather = `type Day = { day: string; high: number; low: number; rain: number };

/** The forecast for a city, one line per day. */
export default async ({ city, days = 5 }: Input, ctx: Context): Promise<Output> => {
  const forecast: Day[] = [];
  for (let step = 0; step < days; step += 1) {
    ctx.progress((step + 1) / days, "day " + (step + 1));
    console.log("Forecast for day", step + 1, "in", city);
    forecast.push({ day: "Day " + (step + 1), high: 18 + step, low: 9 + step, rain: step * 7 });
  }
  return { city, forecast, summary: \`Mostly dry in \${city}.\` };
};
`;
const slow = `export default async (_, ctx) => {
  for (let step = 1; step < 600; step += 1) {
    ctx.progress(step / 600, "page " + step);
    console.log("read page", step);
    await new Promise((done) => setTimeout(done, 500));
  }
  return {};
};`;

const definition = {
  title: "Weather forecast",
  description: "Returns the forecast for a city for the next days: highs, lows and rain.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", description: "Name of the city." },
      days: {
        type: "integer",
        description: "Number of days.",
        minimum: 1,
        maximum: 14,
        default: 5,
      },
    },
    required: ["city"],
  },
  outputSchema: {
    properties: [
      { name: "city", type: "string" as const, description: "Name of the city." },
      { name: "forecast", type: "array" as const, description: "One row per day." },
      { name: "summary", type: "string" as const, description: "Summary in one sentence." },
    ],
  },
  examples: [{ input: { city: "Lisbon", days: 3 } }],
};

/** Creates tools, runs with every outcome, and a draft. Returns their pages. */
async function fillTools(server: Server): Promise<Pages> {
  const { call, callAsOwner } = server;
  const source = {
    language: "typescript" as const,
    code: `type Input = any; type Output = any; type Context = any;\n${weather}`,
  };
  const forecast = await server.makeTool(source.code, { ...definition, source });
  const failing = await server.makeTool(failingTool.source.code, failingTool);
  const crawler = await server.makeTool(slow, {
    title: "Crawl website",
    description: "Reads the pages of a website, one after another.",
  });
  const done = expectStatus(200, await server.run(forecast, { city: "Lisbon" }));
  for (const city of ["Porto", "Faro", "Braga"]) await server.run(forecast, { city });
  const failed = expectStatus(200, await server.run(failing, { url: "https://example.com" }));
  const running = expectStatus(
    200,
    await call("POST", `/run/${crawler}`, {}, { prefer: "respond-async" }),
  );
  const description = "Returns the forecast for a city for up to 14 days: highs, lows and rain.";
  expectStatus(200, await call("PATCH", `/tools/${forecast}`, { description }));
  const draft = expectStatus(
    201,
    await callAsOwner("POST", "/drafts", {
      toolName: forecast,
      definition: { ...definition, source: { language: "typescript", code: weather } },
    }),
  );
  const tabs = ["docs", "use", "runs", "versions", "sharing", "source"];
  const tool = `/tools/${forecast}`;
  return {
    draft: `/drafts/${String(draft.body.id)}`,
    tool,
    ...Object.fromEntries(tabs.map((tab) => [`tool-${tab}`, `${tool}?tab=${tab}`])),
    run: `/runs/${String(done.body.runId)}`,
    "failed-run": `/runs/${String(failed.body.runId)}`,
    "running-run": `/runs/${String(running.body.runId)}`,
  };
}

/** Creates a credential, and tools without one or its approval. Returns the pages that their runs link to. */
async function fillCredentials(server: Server): Promise<Pages> {
  const { callAsOwner } = server;
  const { hosts } = sampleCredential;
  expectStatus(201, await callAsOwner("POST", "/credentials", sampleCredential));
  // The key cannot approve, so running its tools requires an approval.
  const { key } = await server.createKey({ name: "Deploy", scopes: ["mcp:read", "tools:write"] });
  const pageOf = async (title: string, credential: string) => {
    const { body: tool } = expectStatus(
      201,
      await server.callWithKey(key)("POST", "/tools", {
        ...draftOf("export default async () => ({});"),
        title,
        description: "Creates issues in the tracker.",
        allowedHosts: hosts,
        credentials: [
          { name: credential, description: "A token with permission to write issues.", hosts },
        ],
      }),
    );
    const refused = await server.run(String(tool.name));
    const url = new URL(String(refused.body.missing[0].connectUrl));
    return url.pathname + url.search;
  };
  return {
    "add-credential": await pageOf("Create report", "REPORTS_TOKEN"),
    "approve-credential": await pageOf("Create issue", "GITHUB_TOKEN"),
  };
}

/** Registers an app; returns its consent page. */
export async function askForConsent({ baseUrl }: Server): Promise<string> {
  const redirectUri = "http://127.0.0.1:9/callback";
  const registered = await fetch(`${baseUrl}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Example agent",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "mcp:read mcp:execute",
    state: randomUUID(),
    code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
    code_challenge_method: "S256",
    resource: `${baseUrl}/api/mcp`,
  });
  return `/oauth/authorize?${query.toString()}`;
}

/**
 * Creates data for every page. Returns the pages of the owner, and those that are shown before sign-in. The server must allow
 * sign-up.
 */
export async function fillConsole(server: Server): Promise<{ own: Pages; open: Pages }> {
  const { callAsOwner, workspaceId } = server;
  const tools = await fillTools(server);
  const credentials = await fillCredentials(server);
  const invite = (email: string) =>
    callAsOwner("POST", `/workspaces/${workspaceId}/invitations`, { email, role: "builder" });
  await invite("grace@example.com");
  const invited = expectStatus(201, await invite("alan@example.com"));
  const consent = await askForConsent(server);
  return {
    own: { ...pagesOfAll, ...tools, ...credentials, consent },
    open: { ...publicPages, invitation: new URL(String(invited.body.url)).pathname },
  };
}
