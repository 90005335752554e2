import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility } from "./src/console.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

const shell = promisify(execFile);

const broken = `export default async (input: Input): Promise<Output> => {
  console.log("counting", input.name);
  if (input.name.length > 3) throw new Error("Names over 3 letters are not counted yet");
  return { greeting: input.name + ": " + input.name.length };
};
`;
const whole = broken.replace(/.*not counted yet.*\n/, "");

let server: Server;

const { openAs } = setUpConsole(async () => {
  server = await startServer({ SIGN_UP: "open" });
  return server;
});

/** Replaces the code of a draft by pasting. */
async function paste(page: Page, code: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Code/ }).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(code)})`);
  await page.keyboard.press("ControlOrMeta+v");
}

/** Creates an account on the sign-up page. */
async function makeAccount(page: Page, name: string, email?: string): Promise<void> {
  await page.getByLabel("Your name").fill(name);
  if (email !== undefined) await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password, at least 8 characters").fill("a long pass phrase");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
}

/** Builds a tool that fails, fixes it and publishes it. Returns its name. */
async function buildTool(page: Page): Promise<string> {
  await page.getByRole("link", { name: "Create tool" }).first().click();
  await page.getByRole("button", { name: "Use template Blank" }).click();
  await page.getByRole("textbox", { name: "Tool title" }).fill("Letter counter");
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("textbox", { name: "Description" }).fill("Counts the letters of a name.");
  await page.getByRole("tab", { name: "Code" }).click();
  await paste(page, broken);
  const run = page.getByRole("region", { name: "Run", exact: true });
  await run.getByLabel("name", { exact: false }).fill("Grace");
  await page.keyboard.press("ControlOrMeta+Enter");
  const problems = page.getByRole("region", { name: "Problems" });
  await problems.getByRole("button", { name: /^Line 3: Names over 3 letters/ }).waitFor();
  await paste(page, whole);
  await page.keyboard.press("ControlOrMeta+Enter");
  await run.getByText("Grace: 5").waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.waitForURL(/\/tools\/letter_counter_[a-z0-9]{4}/);
  return /letter_counter_[a-z0-9]{4}/.exec(page.url())?.[0] ?? "";
}

async function runOnPage(page: Page, name: string, result: string): Promise<void> {
  await page.getByRole("tab", { name: "Run", exact: true }).click();
  await page.getByLabel("name", { exact: false }).last().fill(name);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(result).waitFor();
}

describe.skipIf(!hasBrowser)("the console", () => {
  test("lets a new user build, fix, publish, run and share a tool, and another user run it", async () => {
    const { page, go, close } = await openAs(undefined, "/sign-up");
    await checkAccessibility(page);
    await makeAccount(page, "Ada", "ada.maker@example.com");
    const tool = await buildTool(page);
    await runOnPage(page, "Ada", "Ada: 3");

    await page.getByRole("tab", { name: "Use" }).click();
    await page.getByRole("button", { name: "Create API key" }).click();
    const line = page.getByLabel("curl", { exact: true });
    await expect.poll(() => line.textContent()).toMatch(/Bearer th_/);
    const { stdout } = await shell("sh", ["-c", (await line.textContent()) ?? ""]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed" });

    await page.getByRole("tab", { name: "Sharing" }).click();
    await page.getByRole("radio", { name: /^This workspace/ }).waitFor();
    await page.getByRole("radio", { name: /^This workspace/ }).check({ force: true });

    await go("/members");
    await page
      .getByRole("button", { name: /Invite/ })
      .first()
      .click();
    const invite = page.getByRole("dialog");
    await invite.getByLabel("Email address").fill("grace@example.com");
    await invite.getByRole("button", { name: "Send invitation" }).click();
    const link = (await invite.getByLabel("Invitation link", { exact: true }).textContent()) ?? "";

    const other = await openAs(undefined, new URL(link).pathname);
    await other.page.getByRole("link", { name: "Create account" }).click();
    await makeAccount(other.page, "Grace");
    await other.go(`/tools/${tool}`);
    await runOnPage(other.page, "Grace", "Grace: 5");
    await other.close();

    await go(`/runs?toolName=${tool}`);
    const runs = page.getByRole("table", { name: "Runs" });
    await expect.poll(() => runs.locator("tbody tr").count()).toBeGreaterThanOrEqual(3);
    await go("/audit");
    const auditLog = page.getByRole("table");
    await auditLog.getByText("Ran tool").first().waitFor();
    await auditLog.getByText("Grace").first().waitFor();
    await close();
  });
});
