import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, startChromium } from "./src/browser.ts";
import { checkAccessibility, openConsole } from "./src/console.ts";
import { fillConsole } from "./src/fill-console.ts";
import type { Pages } from "./src/fill-console.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;
let browser: Browser;
let pages: Pages;

beforeAll(async () => {
  server = await startServer({ SIGN_UP: "open" });
  pages = (await fillConsole(server)).own;
  if (hasBrowser) browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Pages with the number of menus that each has at least, and the buttons that open a dialog. */
const overlays: readonly (readonly [page: string, menus: number, dialogs: readonly RegExp[]])[] = [
  ["tools", 3, []],
  ["tool", 1, []],
  ["runs", 1, []],
  ["run", 1, []],
  ["credentials", 1, [/^Add credential$/]],
  ["api-keys", 1, [/^Create API key$/, /^Revoke/]],
  ["members", 0, [/^Invite member$/]],
  ["webhooks", 0, [/^Create webhook$/]],
  ["alerts", 0, [/^Create alert$/]],
  ["audit", 1, [/^Verify log$/]],
  ["imports", 1, []],
  ["profile", 0, [/^Change password$/, /^Delete account$/]],
];

const menuButtons = (page: Page) => page.locator("main [aria-haspopup=menu]:visible");

/** Opens the first menus of a page one after another. Those of further rows have the same entries. */
async function checkMenus(page: Page, least: number): Promise<void> {
  if (least > 0)
    await menuButtons(page)
      .nth(least - 1)
      .waitFor();
  const count = Math.min(await menuButtons(page).count(), 4);
  for (let at = 0; at < count; at += 1) {
    await menuButtons(page).nth(at).click();
    await page.getByRole("menu").waitFor();
    await checkAccessibility(page);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
  }
}

async function checkDialog(page: Page, button: RegExp): Promise<void> {
  await page.locator("main").getByRole("button", { name: button }).first().click();
  const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
  await dialog.waitFor();
  await checkAccessibility(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

const open = (path: string, colorScheme: "light" | "dark") =>
  openConsole(browser, {
    baseUrl: server.baseUrl,
    cookie: server.cookie,
    path,
    options: { colorScheme, reducedMotion: "reduce" },
  });

describe.skipIf(!hasBrowser)("the pages of the console", () => {
  test.each(overlays)(
    "passes axe in the menus and dialogs of the page %s",
    { tags: ["nightly"], timeout: 120_000 },
    async (name, menus, dialogs) => {
      const { page, close } = await open(pages[name] ?? "", "light");
      await checkMenus(page, menus);
      for (const button of dialogs) await checkDialog(page, button);
      await close();
    },
  );
});

describe.skipIf(!hasBrowser).each(["light", "dark"] as const)(
  "the console in %s mode",
  (scheme) => {
    test("passes axe in the navigation, the command palette and a dialog over a list", async () => {
      const { page, close } = await open("/", scheme);
      for (const button of await page.locator("nav, aside").locator("[aria-haspopup=menu]").all()) {
        await button.click();
        await page.getByRole("menu").waitFor();
        await checkAccessibility(page);
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
      }
      await page.keyboard.press("Control+k");
      const palette = page.getByRole("searchbox", { name: "Go to a page or tool" });
      await palette.fill("weather");
      await page
        .getByRole("menuitem", { name: /Weather forecast/ })
        .first()
        .waitFor();
      await checkAccessibility(page);
      await palette.fill("no such thing at all");
      await page
        .getByText("No results")
        .or(page.getByRole("menu").getByText(/no/i))
        .first()
        .waitFor();
      await checkAccessibility(page);
      await palette.fill("");
      await page.keyboard.press("Escape");
      await palette.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "More actions for Weather forecast" }).click();
      await page.getByRole("menuitem", { name: "Archive tool" }).click();
      await page.getByRole("dialog").waitFor();
      await checkAccessibility(page);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await page.getByRole("menu").count()).toBe(0);
      await close();
    });
  },
);
