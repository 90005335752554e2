import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, startChromium } from "./src/browser.ts";
import { checkAccessibility, checkWidth, openConsole } from "./src/console.ts";
import type { ConsolePage } from "./src/console.ts";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

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

  test("is for people: programs that ask elsewhere get a problem in JSON", async () => {
    const noPage = await fetch(new URL("/no-such-page", server.baseUrl), { headers: asBrowser });
    expect(noPage.status).toBe(404);
    const program = await fetch(new URL("/tools/some_tool_abcd", server.baseUrl), {
      headers: { accept: "application/json" },
    });
    expect(program.status).toBe(404);
    expect(program.headers.get("content-type")).toBe("application/problem+json");
  });

  test("leads to nothing but its own files", async () => {
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
  let browser: Browser;

  beforeAll(async () => {
    browser = await startChromium();
  });

  afterAll(() => browser.close());

  const open = (path = "/", options = {}) => {
    const { baseUrl, cookie } = server;
    return openConsole(browser, { baseUrl, cookie, path, options });
  };

  test("asks whoever is not signed in to do so, and leads back", async () => {
    const { baseUrl, person } = server;
    const { page, close } = await openConsole(browser, { baseUrl, path: "/runs?status=failed" });
    await page.getByLabel("E-mail address").fill(person.email);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    expect(page.url()).toBe(`${baseUrl}/runs?status=failed`);
    await close();
  });

  test("loads less than 250 kB before the first page is there, and before a tool can be run", async () => {
    const { body: tools } = await server.call("GET", "/tools");
    const { page, go, close } = await open();
    const loaded = () =>
      page.evaluate(
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/console/')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
      );
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    const first = await loaded();
    expect(first).toBeGreaterThan(50_000);
    expect(first).toBeLessThan(250_000);
    await go(`/tools/${tools[0].name}`);
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    expect(await loaded()).toBeLessThan(230_000);
    await close();
  });

  test("says that the connection is lost, and goes on when it is back", async () => {
    const { page, close } = await open("/runs");
    await page.context().setOffline(true);
    await page.getByText("The service cannot be reached.").waitFor();
    await page.context().setOffline(false);
    await page.getByText("The service cannot be reached.").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
    await close();
  });

  test("goes by keyboard alone from the top to another page", async () => {
    const { page, close } = await open();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await page.keyboard.press("Tab");
    await expectFocus(page, "Skip to the page");
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press("Tab");
      if ((await focused(page)) === "Runs") break;
    }
    await expectFocus(page, "Runs");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    // The next Tab is in the page, not behind the link.
    expect(await page.evaluate("document.activeElement?.id")).toBe("main");
    await close();
  });

  const pages = [
    "/",
    "/catalog",
    "/drafts",
    "/runs",
    "/credentials",
    "/api-keys",
    "/install",
    "/connected-apps",
    "/members",
    "/settings",
    "/audit",
    "/profile",
    "/reference",
  ];

  test("has nothing that axe calls serious on any page, and enough contrast in the dark", async () => {
    const { page, go, close } = await open("/", {
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    for (const path of pages) {
      await go(path);
      await page.waitForLoadState("networkidle");
      await checkAccessibility(page);
      await page.emulateMedia({ colorScheme: "dark" });
      await checkAccessibility(page, { only: ["color-contrast"] });
      await page.emulateMedia({ colorScheme: "light" });
    }
    await close();
  });

  test("has no such thing on the pages that need no script, and they fit a small window", async () => {
    const { baseUrl, cookie } = server;
    const options = { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" as const };
    const stranger = await openConsole(browser, { baseUrl, path: "/sign-in", options });
    const person = await openConsole(browser, { baseUrl, cookie, path: "/", options });
    const look = async ({ page, go }: ConsolePage, path: string) => {
      await go(path);
      await checkAccessibility(page);
      await checkWidth(page);
      await page.emulateMedia({ colorScheme: "dark" });
      await checkAccessibility(page, { only: ["color-contrast"] });
      await page.emulateMedia({ colorScheme: "light" });
    };
    for (const path of ["/sign-in", "/sign-in/code", "/sign-up", "/forgot-password"]) {
      await look(stranger, path);
    }
    await look(person, "/credentials?connect=WEATHER_KEY&hosts=api.example.com");
    await stranger.close();
    await person.close();
  });

  test("fits a window of 320 pixels on every page", async () => {
    const { page, go, close } = await open("/", { viewport: { width: 320, height: 640 } });
    for (const path of pages) {
      await go(path);
      await page.waitForLoadState("networkidle");
      await checkWidth(page);
    }
    await page.getByRole("button", { name: "Open the menu" }).click();
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    await close();
  });
});

type Focusable = { evaluate: (script: string) => Promise<unknown> };

function focused(page: Focusable): Promise<unknown> {
  return page.evaluate("document.activeElement?.textContent?.trim()");
}

async function expectFocus(page: Focusable, words: string): Promise<void> {
  expect(await focused(page)).toBe(words);
}
