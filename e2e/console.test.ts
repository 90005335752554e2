import process from "node:process";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkPage } from "./src/console.ts";
import { fillConsole } from "./src/fill-console.ts";
import type { Pages } from "./src/fill-console.ts";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

let server: Server;
let filled: ReturnType<typeof fillConsole> | undefined;

const { open, openAs } = setUpConsole(async () => {
  server = await startServer({ SIGN_UP: "open" });
  return server;
});

const asBrowser = { accept: "text/html,application/xhtml+xml" };

describe("the console's document", () => {
  test(
    "is served at every page with a policy that lets only its own scripts run",
    proves("start.npm"),
    async () => {
      for (const path of [
        "/",
        "/tools/some_tool_abcd",
        "/runs",
        "/drafts/1",
        "/audit?action=run",
      ]) {
        const answer = await fetch(new URL(path, server.baseUrl), { headers: asBrowser });
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
        const policy = answer.headers.get("content-security-policy") ?? "";
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("script-src 'self';");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain("unsafe-eval");
        expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)/);
      }
    },
  );

  test("is replaced by a JSON problem for other clients, and for unknown API and asset paths", async () => {
    const ask = async (path: string, headers: Record<string, string>) => {
      const { status, headers: answered } = await fetch(server.baseUrl + path, { headers });
      const type = answered.get("content-type");
      return [status, type, answered.has("content-security-policy")];
    };
    expect(await ask("/no-such-page", asBrowser)).toEqual([404, "text/html; charset=utf-8", true]);
    const problem = [404, "application/problem+json", false];
    const asProgram = { accept: "application/json" };
    expect(await ask("/tools/some_tool_abcd", asProgram)).toEqual(problem);
    expect(await ask("/no-such-page", asProgram)).toEqual(problem);
    for (const path of ["/api/v1/no-such-route", "/api", "/console/assets/gone.js"]) {
      expect([path, ...(await ask(path, asBrowser))]).toEqual([path, ...problem]);
    }
  });

  test("is revalidated on each load, and its assets are cached without", async () => {
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(server.baseUrl + path, { headers: { ...asBrowser, ...headers } });
    const document = await ask("/runs");
    const tag = document.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"\w+"$/);
    expect(document.headers.get("cache-control")).toBe("no-cache");
    const same = await ask("/runs", { "if-none-match": tag });
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", tag]);
    expect(same.headers.get("cache-control")).toBe("no-cache");
    expect((await ask("/runs", { "if-none-match": '"other"' })).status).toBe(200);

    const assets = [...(await document.text()).matchAll(/"(\/console\/assets\/[^"]+)"/g)];
    expect(assets.length).toBeGreaterThan(1);
    for (const [, path = ""] of assets) {
      const asset = await ask(path, { "accept-encoding": "br" });
      expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const assetTag = asset.headers.get("etag") ?? "";
      const unchanged = await ask(path, { "if-none-match": assetTag });
      expect([path, unchanged.status, await unchanged.text()]).toEqual([path, 304, ""]);
      expect(unchanged.headers.get("cache-control")).toContain("immutable");
    }
    const missing = await ask("/console/assets/gone.js");
    expect(missing.headers.get("cache-control") ?? "").not.toContain("immutable");
    expect(missing.headers.has("etag")).toBe(false);
  });

  test("exposes no files except its own", async () => {
    for (const path of [
      "/console/assets/../../package.json",
      "/console/assets/%2e%2e/built-from.txt",
    ]) {
      const answer = await fetch(server.baseUrl + path, { headers: asBrowser });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});

describe.skipIf(!hasBrowser)("the console in a browser", () => {
  /**
   * The bytes over the wire until a page is shown and waits for nothing. Workers load on their own, and are not counted; nor is
   * what a shown page loads ahead, after some seconds.
   */
  const measureLoad = async (path: string, shows: (page: Page) => Locator) => {
    const { page, close } = await open("/not-found");
    await page.goto("about:blank");
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Network.enable");
    await devTools.send("Network.setCacheDisabled", { cacheDisabled: true });
    const requests = new Set<string>();
    let isShown = false;
    devTools.on("Network.requestWillBeSent", ({ requestId, request }) => {
      isShown ||= /\/(?:toast-region|menu-popover)-/.test(request.url);
      if (!isShown) requests.add(requestId);
    });
    let total = 0;
    devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (requests.has(requestId)) total += encodedDataLength;
    });
    await page.goto(server.baseUrl + path);
    await shows(page).first().waitFor();
    await page.waitForLoadState("networkidle");
    const shown = { total };
    await close();
    return shown;
  };

  test("redirects users without a session to the sign-in page, and back afterwards", async () => {
    const { person } = server;
    const { page, close } = await openAs(undefined, "/runs?status=failed");
    await page.getByLabel("Email address").fill(person.email);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    expect(page.url()).toBe(`${server.baseUrl}/runs?status=failed`);
    await close();
  });

  test("uses the typeface of the console on the pages before it", async () => {
    const { page, close } = await openAs(undefined, "/sign-in");
    const loaded = `document.fonts.ready.then((fonts) =>
      [...fonts].filter(({ status }) => status === "loaded").map(({ family }) => family))`;
    expect(await page.evaluate(loaded)).toEqual(["Inter Variable"]);
    await close();
  });

  test.each([
    ["/webhooks", "Create webhook"],
    ["/alerts", "Create alert"],
    ["/imports", "Import"],
  ])("offers the action of the empty page %s once, in its middle", async (path, name) => {
    const { page, close } = await open(path);
    await page.getByRole("heading", { level: 2, name: /^No / }).waitFor();
    const actions = page.getByRole("main").getByRole("button", { name, exact: true });
    expect(await actions.count()).toBe(1);
    await close();
  });

  test("loads less than 180 kB for the home page, 700 kB for the editor without its compiler", async () => {
    const source = { language: "typescript", code: "export default async () => ({});" };
    const body = { definition: { title: "Small", source } };
    const { body: draft } = await server.callAsOwner("POST", "/drafts", body);
    const home = await measureLoad("/", (page) => page.getByRole("list", { name: /tools/i }));
    expect(home.total).toBeGreaterThan(120_000);
    expect(home.total).toBeLessThan(180_000);
    const editor = await measureLoad(`/drafts/${draft.id}`, (page) =>
      page.getByRole("textbox", { name: /^Code/ }),
    );
    expect(editor.total).toBeGreaterThan(home.total);
    expect(editor.total).toBeLessThan(700_000);
  });

  test("shows that the connection is lost, and resumes when it is restored", async () => {
    const { page, close } = await open("/runs");
    await page.context().setOffline(true);
    await page.getByText("The service can't be reached.").waitFor();
    // A page that is not loaded yet waits as well, and the current page stays visible.
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    await page.context().setOffline(false);
    await page.getByText("The service can't be reached.").waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
    await close();
  });

  test("navigates from the top to another page with the keyboard only", async () => {
    const { page, close } = await open();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await page.keyboard.press("Tab");
    await expectFocus(page, "Skip to content");
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press("Tab");
      if ((await focused(page)) === "Runs") break;
    }
    await expectFocus(page, "Runs");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    // The next Tab moves focus within the page content, not to the element after the link.
    expect(await page.evaluate("document.activeElement?.id")).toBe("main");
    await close();
  });

  test(
    "passes axe on every page, has enough contrast in dark mode, and fits 320 pixels",
    { timeout: 240_000, tags: ["nightly"] },
    async () => {
      filled ??= fillConsole(server);
      const pages = await filled;
      const options = { reducedMotion: "reduce" as const };
      const stranger = await openAs(undefined, "/sign-in", options);
      const owner = await open("/", options);
      for (const path of pathsOf(pages.open)) await checkPage(stranger, path);
      for (const path of pathsOf(pages.own)) await checkPage(owner, path);
      await stranger.close();
      await owner.close();
    },
  );

  test("shows its navigation in a menu in a small window", async () => {
    const { page, close } = await open("/", { viewport: { width: 320, height: 640 } });
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    await close();
  });
});

/** One page of each kind, which each change checks; TEST_ALL=1 checks every page. */
const representative = new Set([
  "sign-in",
  "tools",
  "overview",
  "runs",
  "credentials",
  "settings",
  "audit",
]);

function pathsOf(pages: Pages): string[] {
  const isFull = process.env["TEST_ALL"] === "1";
  return Object.entries(pages)
    .filter(([name]) => isFull || representative.has(name))
    .map(([, path]) => path);
}

type Focusable = { evaluate: (script: string) => Promise<unknown> };

function focused(page: Focusable): Promise<unknown> {
  return page.evaluate("document.activeElement?.textContent?.trim()");
}

async function expectFocus(page: Focusable, words: string): Promise<void> {
  expect(await focused(page)).toBe(words);
}
