import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { RunState } from "../src/index.ts";

/** The system's Chromium, or the one at the path in `CHROMIUM`. */
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Whether browser tests can run. In CI they fail instead of being skipped. */
export const hasBrowser = existsSync(executablePath) || process.env["CI"] !== undefined;

const origin = "http://ui.test";
const entry = `
import { createToolView, readTool, styles } from "./index.ts";
import { controls, tokens } from "./design/index.ts";
const sheet = new CSSStyleSheet();
sheet.replaceSync("body{margin:0;padding:12px;background:var(--paper)}" + tokens + controls + styles);
document.adoptedStyleSheets = [sheet];
window.calls = [];
addEventListener("securitypolicyviolation", (event) => window.calls.push(["violation", event.violatedDirective]));
const call = (name) => (value) => void window.calls.push([name, value]);
const uploads = async (file, onSent) => {
  onSent(0.5);
  window.calls.push(["upload", file.name]);
  if (file.name.startsWith("slow")) await new Promise(() => {});
  if (file.name.startsWith("bad")) throw new Error("It is too large.");
  return { fileId: "file-of-" + file.name, fileName: file.name, size: file.size };
};
window.mount = (tool, input, offered) => {
  const host = { run: call("run"), openLink: call("openLink"), cancel: call("cancel"), upload: uploads };
  window.view = createToolView(readTool(tool), input, Object.fromEntries(Object.entries(host).filter(([name]) => offered.includes(name))));
  document.body.replaceChildren(window.view.element);
};
`;

type Offered = "run" | "openLink" | "cancel" | "upload";

/** A browser page with only a tool's view, under a content security policy that allows only its own script. */
export type Stage = {
  page: Page;
  mount(tool: JsonObject, input?: JsonObject, offered?: readonly Offered[]): Promise<void>;
  show(state: RunState): Promise<void>;
  /** The calls of the view to its host, and policy violations, since the last mount. */
  calls(): Promise<[string, unknown][]>;
  /** Presses Run and returns the input of the run, if one started. */
  submit(): Promise<unknown>;
  /** Takes a screenshot if SCREENSHOTS names a folder. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
};

/** Opens the page. Dialogs, script errors and network requests fail the test. */
export async function openStage(
  options: { isDark?: boolean; width?: number } = {},
): Promise<Stage> {
  const { isDark = false, width = 720 } = options;
  const browser = await startChromium();
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: isDark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  page.setDefaultTimeout(10_000);
  const script = await bundle();
  const policy =
    "default-src 'none'; script-src 'nonce-stage'; style-src 'nonce-stage'; img-src data: blob:";
  const faults: string[] = [];
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  await page.route("**", (route) => {
    const url = route.request().url();
    if (url === `${origin}/`) {
      return route.fulfill({
        contentType: "text/html",
        headers: { "content-security-policy": policy },
        body: `<!doctype html><html lang="en"><title>Stage</title><body><script nonce="stage">${script}</script></body></html>`,
      });
    }
    faults.push(`request: ${url}`);
    return route.abort();
  });
  await page.goto(origin);
  const calls = async () => {
    if (faults.length > 0) throw new Error(faults.join("\n"));
    return JSON.parse(await page.evaluate("JSON.stringify(window.calls)")) as [string, unknown][];
  };
  return {
    page,
    mount: async (tool, input = {}, offered = ["run", "openLink", "cancel", "upload"]) => {
      const args = [tool, input, offered].map(asSource).join(",");
      await page.evaluate(`window.calls.length = 0; window.mount(${args})`);
    },
    show: async (state) => {
      await page.evaluate(`window.view.show(${asSource(state)})`);
    },
    calls,
    submit: async () => {
      const before = (await calls()).length;
      await page.getByRole("button", { name: /^Run/ }).click();
      return (await calls()).slice(before).find(([name]) => name === "run")?.[1];
    },
    screenshot: (name) => takeScreenshot(page, name),
    close: () => browser.close(),
  };
}

/** A value as source code. It is parsed as JSON, because `__proto__` in an object literal is not a member. */
function asSource(value: unknown): string {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
}

function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Tests run as root in containers, where Chromium's sandbox is not available.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: join(import.meta.dirname, "../src"), loader: "ts" },
    bundle: true,
    format: "iife",
    write: false,
  });
  return (outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
