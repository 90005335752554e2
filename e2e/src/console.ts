import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { until } from "./until.ts";

/** A page of the console as a signed-in user sees it. */
export type ConsolePage = {
  readonly page: Page;
  /** Opens a page of the console by its path. */
  readonly go: (path: string) => Promise<void>;
  /** Closes it. Fails if the page had errors or violated its policy. */
  readonly close: () => Promise<void>;
};

type Opened = {
  baseUrl: string;
  /** The user's session. Without it, the user is signed out. */
  cookie?: string;
  path?: string;
  options?: BrowserContextOptions;
};

/** Opens the console in a separate browser, signed in with a session cookie. */
export async function openConsole(browser: Browser, opened: Opened): Promise<ConsolePage> {
  const { baseUrl, cookie, path = "/", options = {} } = opened;
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  for (const pair of cookie === undefined ? [] : cookie.split("; ")) {
    const [name = "", ...value] = pair.split("=");
    await context.addCookies([{ name, value: value.join("="), url: baseUrl }]);
  }
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    // The page shows 4xx responses, and Chromium also logs them.
    const isAnswer = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isAnswer) faults.push(message.text());
  });
  const go = async (to: string) => {
    const answer = await page.goto(new URL(to, baseUrl).href);
    if (answer?.status() === 503) throw new Error("Build the console first: npm run build");
    await page.getByRole("heading", { level: 1 }).first().waitFor();
  };
  await go(path);
  const close = async () => {
    await context.close();
    expect(faults).toEqual([]);
  };
  return { page, go, close };
}

type Finding = { id: string; nodes: { html: string; target: unknown }[] };

let axe: Promise<string> | undefined;

/**
 * Fails if axe finds a problem of any impact on the current page, with all rules or the named ones.
 */
export async function checkAccessibility(
  page: Page,
  { without = [] as string[], only = [] as string[] } = {},
) {
  axe ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  // Evaluated through the browser's protocol, which the page's policy does not restrict.
  await page.evaluate(await axe);
  // Live regions may name controls that no longer exist.
  const excluded = ["[data-live-announcer]", ...without].map((selector) => [selector]);
  const rules = only.length === 0 ? {} : { runOnly: only };
  const findings = (await page.evaluate(
    `axe.run({ exclude: ${JSON.stringify(excluded)} }, ${JSON.stringify(rules)}).then(({ violations }) => violations)`,
  )) as Finding[];
  const found = findings.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html }) => html.slice(0, 300)),
  }));
  expect(found, `accessibility of ${page.url()}`).toEqual([]);
}

// Unreachable content: it starts or ends outside the window, and no ancestor can scroll to it.
const findCutOff = `[...document.querySelectorAll("a, button, input, select, textarea, h1, h2, h3, p, label, code, img")]
  .filter((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2 || (left >= -1 && right <= document.body.getBoundingClientRect().right + 1)) return false;
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      const { overflowX, clipPath, position } = getComputedStyle(around);
      if (/auto|scroll/.test(overflowX) || clipPath !== "none" || position === "fixed") return false;
    }
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  })
  .map((element) => element.outerHTML.slice(0, 200))`;

/** Fails if the page scrolls horizontally or is cut off. */
export async function checkWidth(page: Page) {
  const excess = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(excess, `sideways scrolling of ${page.url()}`).toBeLessThanOrEqual(0);
  expect(await page.evaluate(findCutOff), `what is cut off on ${page.url()}`).toEqual([]);
}

// Loading spinners are animations as well, but they end on their own, so only transitions count.
const isDark = `matchMedia("(prefers-color-scheme: dark)").matches &&
  !document.getAnimations().some((animation) => animation instanceof CSSTransition)`;

/** Chooses an option of a select. Both are found by a part of their text. */
export async function choose(page: Page, label: RegExp, option: string | RegExp): Promise<void> {
  const select = page.getByRole("combobox", { name: label }).last();
  const found = select.locator("option").filter({ hasText: option }).first();
  await select.selectOption(await found.getAttribute("value"));
}

/** Opens a page, and checks its accessibility, its contrast in dark mode and its width on a phone. */
export async function checkPage({ page, go }: ConsolePage, path: string): Promise<void> {
  await go(path);
  // Pages with live updates hold a connection open, so the network may never become idle.
  await page.waitForLoadState("networkidle", { timeout: 2_000 }).catch(() => undefined);
  await checkAccessibility(page);
  await page.emulateMedia({ colorScheme: "dark" });
  // The page learns of the new color scheme with a delay, and its colors may fade.
  await until(`${path} is dark`, 30_000, () => page.evaluate(isDark));
  await checkAccessibility(page, { only: ["color-contrast"] });
  await page.emulateMedia({ colorScheme: "light" });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  await checkWidth(page);
  if (size !== null) await page.setViewportSize(size);
}
