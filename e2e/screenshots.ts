import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { BrowserContextOptions, Page } from "playwright-core";
import { startChromium } from "./src/browser.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

// Takes a picture of every page of the console, light, dark and narrow, of a service with something in it:
// node e2e/screenshots.ts FOLDER [NAME…]. With names only those pages are taken.

const [folder = "screenshots", ...only] = process.argv.slice(2);

const looks: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 1_280, height: 800 }, colorScheme: "light" },
  dark: { viewport: { width: 1_280, height: 800 }, colorScheme: "dark" },
  narrow: { viewport: { width: 320, height: 700 }, colorScheme: "light" },
};

const weather = `type Day = { day: string; high: number; low: number; rain: number };

/** The forecast for a city, a line a day. */
export default async ({ city, days = 5 }: Input, ctx: Context): Promise<Output> => {
  const forecast: Day[] = [];
  for (let step = 0; step < days; step += 1) {
    ctx.progress((step + 1) / days, "day " + (step + 1));
    console.log("looked at day", step + 1, "of", city);
    forecast.push({ day: "Day " + (step + 1), high: 18 + step, low: 9 + step, rain: step * 7 });
  }
  return { city, forecast, summary: \`Mostly dry in **\${city}**.\` };
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
  description: "The forecast for a city for the next days: highs, lows and rain.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", description: "Where" },
      days: { type: "integer", description: "How many", minimum: 1, maximum: 14, default: 5 },
    },
    required: ["city"],
  },
  outputSchema: {
    properties: [
      { name: "city", type: "string" as const, description: "Where" },
      { name: "forecast", type: "array" as const, description: "A line a day" },
      { name: "summary", type: "string" as const, description: "In words" },
    ],
  },
  examples: [{ input: { city: "Lisbon", days: 3 } }],
};

/** What the pages show: tools of several kinds, runs that ended in every way, people, drafts, keys. */
async function fill(server: Server): Promise<Record<string, string>> {
  const { call, callAsOwner, workspaceId } = server;
  const source = {
    language: "typescript" as const,
    code: `type Input = any; type Output = any; type Context = any;\n${weather}`,
  };
  const forecast = await server.makeTool(source.code, { ...definition, source });
  const failing = await server.makeTool(
    `export default async ({ url }) => { throw new Error("The address " + url + " answered 503"); }`,
    { title: "Check a site", description: "Says whether a site answers." },
  );
  const crawler = await server.makeTool(slow, {
    title: "Read a site",
    description: "Reads the pages of a site, one after the other.",
  });
  const done = expectStatus(200, await server.run(forecast, { city: "Lisbon" }));
  for (const city of ["Porto", "Faro", "Braga"]) await server.run(forecast, { city });
  const failed = expectStatus(200, await server.run(failing, { url: "https://example.com" }));
  const running = expectStatus(
    200,
    await call("POST", `/run/${crawler}`, {}, { prefer: "respond-async" }),
  );
  expectStatus(
    201,
    await callAsOwner("POST", "/credentials", {
      name: "GITHUB_TOKEN",
      value: "not-a-real-token",
      owner: "user",
      hosts: ["api.github.com"],
    }),
  );
  await callAsOwner("POST", `/workspaces/${workspaceId}/invitations`, {
    email: "grace@example.com",
    role: "builder",
  });
  const detail = expectStatus(200, await callAsOwner("GET", `/tools/${forecast}`)).body;
  const { title, description, inputSchema, outputSchema, examples } = detail;
  const draft = expectStatus(
    201,
    await callAsOwner("POST", "/drafts", {
      toolName: forecast,
      definition: {
        title,
        description,
        inputSchema,
        outputSchema,
        examples,
        source: { language: "typescript", code: weather },
      },
    }),
  );
  return {
    draft: `/drafts/${String(draft.body.id)}`,
    tool: `/tools/${forecast}`,
    run: `/runs/${String(done.body.runId)}`,
    "failed-run": `/runs/${String(failed.body.runId)}`,
    "running-run": `/runs/${String(running.body.runId)}`,
  };
}

/** Pages that are the same whatever is there. */
const pagesOfAll: Record<string, string> = {
  tools: "/",
  catalog: "/catalog",
  drafts: "/drafts",
  runs: "/runs",
  credentials: "/credentials",
  "api-keys": "/api-keys",
  install: "/install",
  "connected-apps": "/connected-apps",
  members: "/members",
  settings: "/settings",
  audit: "/audit",
  profile: "/profile",
  reference: "/reference",
};

/** Pages that are seen before anybody is signed in. */
const publicPages: Record<string, string> = {
  "sign-in": "/sign-in",
  "sign-up": "/sign-up",
  "forgot-password": "/forgot-password",
};

async function shoot(page: Page, url: string, file: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
  // The editor colours what it shows once it has read it.
  await page.waitForTimeout(url.includes("/drafts/") ? 4_000 : 500);
  await page.screenshot({ path: file, animations: "disabled" });
}

const server = await startServer({ SIGN_UP: "open" });
const browser = await startChromium();
try {
  await mkdir(folder, { recursive: true });
  const pages = { ...pagesOfAll, ...(await fill(server)) };
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const take = async (named: Record<string, string>) => {
      for (const [name, path] of Object.entries(named)) {
        if (only.length > 0 && !only.includes(name)) continue;
        await shoot(page, server.baseUrl + path, join(folder, `${name}-${look}.png`));
      }
    };
    await take(publicPages);
    const [name = "", ...value] = server.cookie.split("=");
    await context.addCookies([{ name, value: value.join("="), url: server.baseUrl }]);
    await take(pages);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
