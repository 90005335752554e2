import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility } from "./src/console.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

let server: Server;

const { open } = setUpConsole(async () => {
  server = await startServer();
  return server;
});

/** Creates a tool and archives it in the console, which shows the button that takes it back. */
async function archiveTool(title: string) {
  const name = await server.makeTool("export default () => ({ isHere: true });", { title });
  const opened = await open();
  const { page } = opened;
  await page.getByRole("button", { name: `More actions for ${title}` }).click();
  await page.getByRole("menuitem", { name: "Archive tool" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive tool" }).click();
  await page.getByText(`Archived ${title}`).waitFor();
  await listed(page, title).waitFor({ state: "detached" });
  expect((await server.call("GET", `/tools/${name}`)).status).toBe(404);
  return { ...opened, name };
}

const listed = (page: Page, title: string) =>
  page.getByRole("list", { name: "All tools" }).getByRole("link", { name: title, exact: true });
const undo = (page: Page) => page.getByRole("button", { name: "Undo" });

describe.skipIf(!hasBrowser)("Undo after archiving a tool", () => {
  test("restores the tool, which is listed and runs again", async () => {
    const { page, name, close } = await archiveTool("Paper plane");
    await checkAccessibility(page);
    await undo(page).click();
    await page.getByText("Restored Paper plane").waitFor();
    await listed(page, "Paper plane").waitFor();
    expect(await undo(page).count()).toBe(0);
    const { body } = expectStatus(200, await server.call("POST", `/run/${name}`, {}));
    expect(body.output).toEqual({ isHere: true });
    await close();
  });

  test("reports a lost connection and restores the tool when tried again", async () => {
    const { page, name, close } = await archiveTool("Lost letter");
    await page.context().setOffline(true);
    await undo(page).click();
    await page.getByText(/^Couldn't restore Lost letter\. The service can't be reached/).waitFor();
    await page.context().setOffline(false);
    expect((await server.call("GET", `/tools/${name}`)).status).toBe(404);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Restored Lost letter", { exact: true }).waitFor();
    await listed(page, "Lost letter").waitFor();
    expectStatus(200, await server.call("GET", `/tools/${name}`));
    await close();
  });

  test("restores the tool in its workspace after another one is selected", async () => {
    const other = { name: "Other shore" };
    const { body } = expectStatus(201, await server.callAsOwner("POST", "/workspaces", other));
    const { page, name, close } = await archiveTool("Message in a bottle");
    await page.getByRole("button", { name: /Workspace$/ }).click();
    await page.getByRole("menuitemradio", { name: other.name }).click();
    await page.getByRole("button", { name: new RegExp(`^${other.name}.*Workspace`) }).waitFor();
    await undo(page).click();
    await page.getByText("Restored Message in a bottle").waitFor();
    expectStatus(200, await server.call("GET", `/tools/${name}`));
    const path = `/workspaces/${String(body.id)}`;
    expectStatus(204, await server.callAsOwner("DELETE", path, other));
    await close();
  });

  test("is gone after a reload, and the archived tools restore the tool", async () => {
    const { page, name, go, close } = await archiveTool("Folded map");
    await go("/?show=archived");
    expect(await undo(page).count()).toBe(0);
    await page.getByRole("button", { name: "Restore Folded map" }).click();
    await page.getByText("Restored Folded map").waitFor();
    await page.getByRole("tab", { name: "All", exact: true }).click();
    await listed(page, "Folded map").waitFor();
    expectStatus(200, await server.call("GET", `/tools/${name}`));
    await close();
  });

  test("says why it has no effect if the archived tool was deleted meanwhile", async () => {
    const { page, name, close } = await archiveTool("Burnt note");
    const deleted = await server.callAsOwner("DELETE", `/archived-tools/${name}`);
    expect(deleted.status).toBe(204);
    await undo(page).click();
    await page.getByText(/^Couldn't restore Burnt note\. /).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await close();
  });

  test("restores all tools that were archived together", async () => {
    const make = (title: string) => server.makeTool("export default () => ({});", { title });
    const names = [await make("First sheet"), await make("Second sheet")];
    const { page, close } = await open();
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByRole("checkbox", { name: "Select First sheet" }).check();
    await page.getByRole("checkbox", { name: "Select Second sheet" }).check();
    await page.getByRole("button", { name: "Archive", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
    await page.getByText("Archived 2 tools").waitFor();
    for (const name of names) expectStatus(404, await server.call("GET", `/tools/${name}`));
    await undo(page).click();
    await page.getByText("Restored 2 tools").waitFor();
    await listed(page, "First sheet").waitFor();
    await listed(page, "Second sheet").waitFor();
    for (const name of names) expectStatus(200, await server.call("GET", `/tools/${name}`));
    await close();
  });
});
