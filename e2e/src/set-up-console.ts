import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { hasBrowser, startChromium } from "./browser.ts";
import { openConsole } from "./console.ts";
import type { ConsolePage } from "./console.ts";
import type { Server } from "./server.ts";

type ConsoleSetUp = {
  /** Opens a page of the console as the owner. */
  open: (path?: string, options?: BrowserContextOptions) => Promise<ConsolePage>;
  /** Opens a page of the console with another session, or without one. */
  openAs: (
    cookie: string | undefined,
    path?: string,
    options?: BrowserContextOptions,
  ) => Promise<ConsolePage>;
  /** An empty browser, without a session. */
  openBrowser: () => Promise<BrowserContext>;
};

/**
 * Starts a server and a browser before the tests of a file or a `describe`, and stops them afterwards. What `start` starts
 * besides the server is stopped by an `afterAll` that is declared earlier, so that it runs last.
 */
export function setUpConsole(start: () => Promise<Server>): ConsoleSetUp {
  let server: Server | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    server = await start();
    if (hasBrowser) browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  const started = () => {
    if (server === undefined || browser === undefined) throw new Error("The console isn't set up");
    return { server, browser };
  };
  const openAs: ConsoleSetUp["openAs"] = (cookie, path = "/", options = {}) => {
    const {
      browser: chromium,
      server: { baseUrl },
    } = started();
    const session = cookie === undefined ? {} : { cookie };
    return openConsole(chromium, { baseUrl, ...session, path, options });
  };
  return {
    openAs,
    open: (path, options) => openAs(started().server.cookie, path, options),
    openBrowser: () => started().browser.newContext(),
  };
}
