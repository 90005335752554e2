import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { buildGallery } from "../../console/build-gallery.ts";

/** The built page of all components, which the service does not serve. */
export type Gallery = {
  open(browser: Browser, options?: BrowserContextOptions): Promise<Page>;
  remove(): Promise<void>;
};

const origin = "http://gallery.test";
const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".woff2": "font/woff2",
};

/** What a user opens or points at, by its name: pictures and checks of what the page alone does not show. */
export const interactions: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  hover: (page) => page.getByRole("button", { name: "Save changes" }).first().hover(),
  focus: async (page) => {
    await page.getByRole("button", { name: "Save changes" }).first().focus();
    await page.keyboard.press("Tab");
  },
  "field-focus": (page) => page.getByRole("textbox", { name: "Name", exact: true }).focus(),
  menu: async (page) => {
    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
  },
  dialog: async (page) => {
    await page.getByRole("button", { name: "Open dialog" }).click();
    await page.getByRole("alertdialog").or(page.getByRole("dialog")).waitFor();
  },
  form: async (page) => {
    await page.getByRole("button", { name: "Open form" }).click();
    await page.getByRole("dialog", { name: "Create key" }).waitFor();
  },
  notification: async (page) => {
    await page.getByRole("button", { name: "Show notification" }).click();
    await page.getByRole("button", { name: "Show error" }).click();
    await page.getByRole("alertdialog").nth(1).waitFor();
  },
  table: (page) => page.getByText("Show as table").first().click(),
};

/** Builds the page, so that browsers can open it without a server. */
export async function prepareGallery(): Promise<Gallery> {
  const outDir = await mkdtemp(join(tmpdir(), "toolhost-gallery-"));
  const document = await buildGallery(outDir);
  return {
    open: async (browser, options = {}) => {
      const page = await browser.newPage({ reducedMotion: "reduce", ...options });
      await page.route(`${origin}/**`, async (route) => {
        const { pathname } = new URL(route.request().url());
        const path = pathname === "/" ? document : pathname;
        const body = await readFile(join(outDir, path)).catch(() => undefined);
        if (body === undefined) return route.fulfill({ status: 404 });
        return route.fulfill({ body, contentType: types[extname(path)] ?? "text/plain" });
      });
      await page.goto(`${origin}/`);
      await page.getByRole("heading", { name: "States of a run" }).waitFor();
      await page.evaluate("document.fonts.ready");
      return page;
    },
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
