import { createServer } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility, checkWidth, choose } from "./src/console.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

let upstream: Server;
let server: Server;

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

afterAll(() => upstream?.stop());
const { open } = setUpConsole(async () => {
  upstream = await startServer(await ownAddress());
  server = await startServer({ EGRESS_PRIVATE_HOSTS: new URL(upstream.baseUrl).host });
  return server;
});

describe.skipIf(!hasBrowser)("the sign-in at an MCP server", () => {
  test("takes its URL, a click and the sign-in", async () => {
    const { page, close } = await open("/credentials");
    await page.getByRole("button", { name: "Add credential" }).first().click();
    await choose(page, /^Type$/, "Sign-in at an MCP server");
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

  test("starts from a run that lacks the credential", async () => {
    const { key } = await server.createKey({
      name: "Agent",
      scopes: ["mcp:read", "mcp:execute", "tools:write"],
    });
    const made = await server.callWithKey(key)("POST", "/tools", {
      title: "Asks the upstream",
      description: "Asks the upstream who is signed in.",
      inputSchema: { type: "object" },
      source: {
        language: "javascript",
        code: `export default async (_, ctx) => {
          const headers = {
            authorization: "Bearer " + ctx.credentials.UPSTREAM,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          };
          const params = {
            protocolVersion: "2025-11-25",
            capabilities: {},
            clientInfo: { name: "test", version: "1" },
          };
          const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
          const response = await fetch("${upstream.baseUrl}/mcp", { method: "POST", headers, body });
          return { status: response.status };
        }`,
      },
      allowedHosts: [upstream.baseUrl],
      credentials: [
        { name: "UPSTREAM", hosts: [upstream.baseUrl], resource: `${upstream.baseUrl}/mcp` },
      ],
    });
    const tool = String(expectStatus(201, made).body.name);
    const { body } = await server.run(tool);
    const { page, go, close } = await open();
    await go(body.missing[0].connectUrl);
    const { host } = new URL(upstream.baseUrl);
    await checkAccessibility(page);
    await checkWidth(page);
    await page.getByRole("button", { name: `Sign in at ${host} and approve version 1` }).click();
    await page.getByRole("link", { name: `Continue to ${host}` }).click();
    await page.getByLabel("Email address").fill(upstream.person.email);
    await page.getByLabel("Password").fill(upstream.person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText(`Version 1 of ${tool} is approved.`).waitFor();
    expect((await server.run(tool)).body.output).toEqual({ status: 200 });
    await close();
  });
});
