import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

const rejectedRequests = `performance.getEntriesByType("resource")
  .filter(({ responseStatus }) => responseStatus >= 400)
  .map(({ name }) => name)`;

describe.skipIf(!hasBrowser)("the console with several workspaces", () => {
  let server: Server;
  const { open } = setUpConsole(async () => {
    server = await startServer();
    return server;
  });

  const expectWorkspace = (page: Page, name: string) =>
    page.getByRole("button", { name: new RegExp(`^${name}.*Workspace`) }).waitFor();

  test("prevents the only owner from leaving, and explains why", async () => {
    const { page, close } = await open("/members");
    await page.getByText("You are the only owner.").waitFor();
    expect(await page.getByRole("button", { name: "Leave" }).count()).toBe(0);
    await close();
  });

  test("stays in its workspace when the user creates a second one elsewhere", async () => {
    const first = String((await server.callAsOwner("GET", "/me")).body.workspace.name);
    const { page, go, close } = await open();
    await expectWorkspace(page, first);
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    const name = `Second ${randomUUID().slice(0, 4)}`;
    const made = expectStatus(201, await server.callAsOwner("POST", "/workspaces", { name }));
    for (const title of ["Runs", "Members", "Credentials"]) {
      await page.getByRole("link", { name: title, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.getByText("X-Workspace-Id").count()).toBe(0);
    }
    await page.reload();
    await expectWorkspace(page, first);
    await page.goto(`${server.baseUrl}/?workspace=${String(made.body.id)}`);
    await expectWorkspace(page, name);
    const tab = await page.context().newPage();
    await tab.goto(server.baseUrl);
    await expectWorkspace(tab, name);
    const newSignIn = await open();
    await expectWorkspace(newSignIn.page, first);
    expect(await newSignIn.page.evaluate(rejectedRequests)).toEqual([]);
    await newSignIn.close();
    expect(refused).toEqual([]);
    // After the current workspace is deleted, the console switches to an existing one.
    expectStatus(
      204,
      await server.callAsOwner("DELETE", `/workspaces/${String(made.body.id)}`, { name }),
    );
    await go("/runs");
    await expectWorkspace(page, first);
    await close();
  });
});
