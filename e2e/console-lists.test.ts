import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { fillServer } from "./bench/console-rows.ts";
import { hasBrowser } from "./src/browser.ts";
import { dialect } from "./src/database.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

/** Rows of at least 36 pixels in a window of 900 with its margins of 800 above and below. */
const maxRows = 75;
const maxScrolls = 8;

// The rows are written to the embedded database.
describe.skipIf(!hasBrowser || dialect !== "sqlite")(
  "the console with 2,000 tools and 20,000 runs",
  { timeout: 240_000, tags: ["nightly"] },
  () => {
    let server: Server;
    const { open } = setUpConsole(async () => {
      server = await startServer({ WORKSPACE_MAX_TOOLS: "0", LOG_LEVEL: "warn" });
      return server;
    });
    beforeAll(() => fillServer(server, { tools: 2_000, runs: 20_000 }), 120_000);

    /** Scrolls down again and again. Returns the largest number of rows that were rendered, and how far down the list goes. */
    const scroll = async (page: Page, rows: Locator) => {
      await rows.first().waitFor();
      let most = 0;
      for (let step = 0; step < maxScrolls; step += 1) {
        most = Math.max(most, await rows.count());
        const before = await page.evaluate("document.documentElement.scrollHeight");
        await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
        await expect
          .poll(() => page.evaluate("document.documentElement.scrollHeight"), { timeout: 20_000 })
          .toBeGreaterThan(Number(before));
      }
      return { most, height: Number(await page.evaluate("document.documentElement.scrollHeight")) };
    };

    test("renders a bounded number of tools", async () => {
      const { page, close } = await open("/");
      const rows = page.getByRole("list", { name: "All tools" }).getByRole("listitem");
      const { most, height } = await scroll(page, rows);
      expect(most).toBeLessThan(maxRows);
      expect(height).toBeGreaterThan(10 * 900);
      await close();
    });

    test("renders a bounded number of runs", async () => {
      const { page, close } = await open("/runs");
      const rows = page.getByRole("table", { name: "Runs" }).locator("tbody tr");
      const { most, height } = await scroll(page, rows);
      expect(most).toBeLessThan(maxRows);
      expect(height).toBeGreaterThan(10 * 900);
      await close();
    });
  },
);
