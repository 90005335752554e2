import { createServer } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, startChromium } from "./src/browser.ts";
import { checkAccessibility, checkWidth, openConsole } from "./src/console.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let upstream: Server;
let server: Server;
let browser: Browser;

/** A browser sends the cookies of one host to all of its ports, so the upstream needs a host of its own. */
async function ownAddress(): Promise<{ PORT: string; BASE_URL: string }> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, "127.0.0.1", resolve);
  });
  const address = probe.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
}

beforeAll(async () => {
  upstream = await startServer(await ownAddress());
  server = await startServer({ EGRESS_PRIVATE_HOSTS: new URL(upstream.baseUrl).host });
  if (hasBrowser) browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await upstream?.stop();
});

describe.skipIf(!hasBrowser)("the sign-in at an MCP server", () => {
  test("takes its URL, a click and the sign-in", async () => {
    const { page, close } = await openConsole(browser, {
      baseUrl: server.baseUrl,
      cookie: server.cookie,
      path: "/credentials",
    });
    await page.getByRole("button", { name: "Add credential" }).first().click();
    await page.getByRole("button", { name: /^Type|Secret value/ }).click();
    await page.getByRole("option", { name: /Sign-in at an MCP server/ }).click();
    await page.getByRole("textbox", { name: "Server URL" }).fill(`${upstream.baseUrl}/mcp`);
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    expect(await name.inputValue()).toBe("MCP_SERVER");
    await checkAccessibility(page);
    await checkWidth(page);
    await page.getByRole("button", { name: "Save credential" }).click();
    const opened = page.waitForEvent("popup");
    await page.getByRole("link", { name: /Go to provider/ }).click();
    const popup = await opened;
    await popup.getByLabel("Email address").fill(upstream.person.email);
    await popup.getByLabel("Password").fill(upstream.person.password);
    await popup.getByRole("button", { name: "Sign in" }).click();
    await popup.getByRole("button", { name: "Allow" }).waitFor();
    await popup.getByRole("button", { name: "Allow" }).click();
    await popup.getByText("MCP_SERVER is connected.").waitFor();
    await popup.close();
    await page.getByText("Connected. Tools can use it now.").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Connected", { exact: true }).waitFor();
    const { body } = await server.callAsOwner("GET", "/credentials");
    expect(body).toMatchObject([
      { status: "ready", resource: `${upstream.baseUrl}/mcp`, hosts: [upstream.baseUrl] },
    ]);
    await close();
  });
});
