import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { BrowserContextOptions, Page } from "playwright-core";
import { startChromium } from "./src/browser.ts";
import { fillConsole } from "./src/fill-console.ts";
import { interactions, prepareGallery } from "./src/gallery.ts";
import { startServer } from "./src/server.ts";

// Takes pictures of every page of the console with sample data, and of the gallery of components, at three widths in light and
// dark:
// node e2e/screenshots.ts FOLDER [NAME…]. Names select pages.

const [folder = "screenshots", ...only] = process.argv.slice(2);

const widths = [1_440, 1_280, 390];
const schemes = ["light", "dark"] as const;
const looks: readonly (readonly [string, BrowserContextOptions])[] = widths.flatMap((width) =>
  schemes.map((colorScheme): [string, BrowserContextOptions] => [
    `${width}-${colorScheme}`,
    { viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme },
  ]),
);

async function shoot(page: Page, url: string, file: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
  // The editor highlights code and checks it after it has loaded.
  if (url.includes("/drafts/")) await page.getByText("No problems").waitFor({ timeout: 60_000 });
  // A phone hides the list of operations while one of them is shown.
  if (url.includes("/reference")) {
    const search = page.getByRole("searchbox", { includeHidden: true }).first();
    await search.waitFor({ state: "attached" });
  }
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: file, animations: "disabled" });
}

async function shootGallery(options: BrowserContextOptions, path: string): Promise<void> {
  if (only.length > 0 && !only.includes("gallery")) return;
  const page = await gallery.open(browser, options);
  await page.screenshot({ path, animations: "disabled", fullPage: true });
  await page.close();
  for (const [name, show] of Object.entries(interactions)) {
    const shown = await gallery.open(browser, options);
    await show(shown);
    await shown.screenshot({
      path: path.replace("gallery", `gallery-${name}`),
      animations: "disabled",
    });
    await shown.close();
  }
}

const gallery = await prepareGallery();
const server = await startServer({ SIGN_UP: "open" });
const browser = await startChromium();
try {
  await mkdir(folder, { recursive: true });
  const { own, open } = await fillConsole(server);
  for (const [look, options] of looks) {
    await shootGallery(options, join(folder, `gallery-${look}.png`));
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const take = async (named: Record<string, string>) => {
      for (const [name, path] of Object.entries(named)) {
        if (only.length > 0 && !only.includes(name)) continue;
        await shoot(page, server.baseUrl + path, join(folder, `${name}-${look}.png`));
      }
    };
    await take(open);
    const [name = "", ...value] = server.cookie.split("=");
    await context.addCookies([{ name, value: value.join("="), url: server.baseUrl }]);
    await take(own);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
  await gallery.remove();
}
