import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility } from "./src/console.ts";
import { fillConsole } from "./src/fill-console.ts";
import type { Pages } from "./src/fill-console.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

let server: Server;
let pages: Pages;

const { open: openPage } = setUpConsole(async () => {
  server = await startServer({ SIGN_UP: "open" });
  return server;
});
beforeAll(async () => {
  pages = (await fillConsole(server)).own;
});

/** An overlay: a button that opens a dialog, or a menu and its item that does. */
type Dialog = RegExp | readonly [menu: RegExp, item: RegExp];

/** Pages with the number of menus that each has at least, and what opens its dialogs. */
const overlays: readonly (readonly [page: string, menus: number, dialogs: readonly Dialog[]])[] = [
  ["tools", 3, []],
  ["tool", 1, []],
  ["runs", 1, []],
  ["run", 1, []],
  ["drafts", 0, [/^Discard /]],
  ["draft", 1, [/^Publish$/, [/^More actions$/, /^Discard draft$/]]],
  ["credentials", 1, [/^Add credential$/]],
  ["api-keys", 1, [/^Create API key$/, /^Revoke/]],
  ["members", 0, [/^Invite member$/]],
  ["settings", 0, [/^Create workspace$/, /^Delete workspace$/]],
  ["webhooks", 0, [/^Create webhook$/]],
  ["alerts", 0, [/^Create alert$/]],
  ["audit", 1, [/^Verify log$/]],
  ["imports", 1, []],
  ["profile", 0, [/^Change password$/, /^Delete account$/]],
];

const menuButtons = (page: Page) => page.locator("main [aria-haspopup=menu]:visible");

/** Opens a menu, checks it and closes it. */
async function checkMenu(page: Page, button: Locator): Promise<void> {
  await button.click();
  await page.getByRole("menu").waitFor();
  await checkAccessibility(page);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
}

/** Checks the first menus of a page. Those of further rows have the same entries. */
async function checkMenus(page: Page, least: number): Promise<void> {
  if (least > 0)
    await menuButtons(page)
      .nth(least - 1)
      .waitFor();
  const count = Math.min(await menuButtons(page).count(), 4);
  for (let at = 0; at < count; at += 1) await checkMenu(page, menuButtons(page).nth(at));
}

async function checkDialog(page: Page, opener: Dialog): Promise<void> {
  const [button, item] = opener instanceof RegExp ? [opener] : opener;
  await page.locator("main").getByRole("button", { name: button }).first().click();
  if (item !== undefined) await page.getByRole("menuitem", { name: item }).click();
  const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
  await dialog.waitFor();
  await checkAccessibility(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

describe.skipIf(!hasBrowser).each(["light", "dark"] as const)(
  "the console in %s mode",
  (scheme) => {
    const open = (path = "/") => openPage(path, { colorScheme: scheme, reducedMotion: "reduce" });

    test.each(overlays)(
      "passes axe in the menus and dialogs of the page %s",
      { tags: ["nightly"] },
      async (name, menus, dialogs) => {
        const { page, close } = await open(pages[name]);
        await checkMenus(page, menus);
        for (const opener of dialogs) await checkDialog(page, opener);
        await close();
      },
    );

    test("passes axe in the navigation, the command palette and a dialog over a list", async () => {
      const { page, close } = await open();
      for (const button of await page.locator("nav, aside").locator("[aria-haspopup=menu]").all())
        await checkMenu(page, button);
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
      await checkDialog(page, [/^More actions for Weather forecast$/, /^Archive tool$/]);
      expect(await page.getByRole("menu").count()).toBe(0);
      await close();
    });
  },
);
