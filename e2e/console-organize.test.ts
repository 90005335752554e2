import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility, checkWidth, choose } from "./src/console.ts";
import { enter } from "./src/sign-in.ts";
import { until } from "./src/until.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

let server: Server;

const { open, openAs } = setUpConsole(async () => {
  server = await startServer();
  return server;
});

const tool = (title: string) =>
  server.makeTool("export default () => ({});", { title, description: "For tests." });

describe.skipIf(!hasBrowser)("the list of tools of the console", () => {
  test("selects tools to tag them, filters by the tag, and saves that as a view", async () => {
    const names = [await tool("Orders of today"), await tool("Orders of the week")];
    await server.run(names[0] ?? "", {});
    const { page, close } = await open("/");
    await page.getByText("100% of 1 run succeeded").waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByRole("checkbox", { name: "Select Orders of today" }).check();
    await page.getByRole("checkbox", { name: "Select Orders of the week" }).check();
    await page.getByText("2 selected").waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Add tags" }).click();
    await page.getByRole("textbox", { name: "Tags" }).fill("orders, sales");
    await page.getByRole("dialog").getByRole("button", { name: "Add tags" }).click();
    await page.getByText("2 tools done").waitFor();
    expect(expectStatus(200, await server.callAsOwner("GET", "/tags")).body).toEqual({
      tags: ["orders", "sales"],
    });

    await choose(page, /Tag$/, "orders");
    await page.waitForURL(/tag=orders/);
    const rows = page.getByRole("list", { name: "All tools" }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save view" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Sales tools");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Sales tools", exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Sales tools" }).click();
    await page.waitForURL(/tag=orders/);

    await page.getByRole("button", { name: "Add Orders of today to favorites" }).click();
    await page.getByRole("button", { name: "Remove Orders of today from favorites" }).waitFor();
    await page.getByRole("tab", { name: "Favorites" }).click();
    await expect.poll(() => page.getByRole("link", { name: /^Orders of/ }).count()).toBe(1);
    await close();
  });

  test("shows the list in windows of every height", async () => {
    await Promise.all(Array.from({ length: 25 }, (_, at) => tool(`Tool ${at}`)));
    const { page, close } = await open("/");
    const row = page.getByRole("list", { name: "All tools" }).getByRole("listitem").first();
    await row.waitFor();
    const rowHeight = Math.ceil((await row.boundingBox())?.height ?? 0);
    // In one of these windows, the last rendered row ends where no further one is needed.
    for (let height = 700; height <= 700 + rowHeight; height += 1)
      await page.setViewportSize({ width: 1280, height });
    expect(await page.getByText("could not be loaded").count()).toBe(0);
    expect(await row.isVisible()).toBe(true);
    await close();
  });

  test("exports selected tools as an archive, and fits 320 pixels", async () => {
    await tool("Exported tool");
    const { page, close } = await open("/", { viewport: { width: 320, height: 800 } });
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByRole("checkbox", { name: "Select Exported tool" }).check();
    await checkWidth(page);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    expect((await download).suggestedFilename()).toBe("tools.tar.gz");
    await close();
  });

  test("lists first steps until they are dismissed", async () => {
    const { page, close } = await open("/");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.getByRole("link", { name: "Connect an agent" }).waitFor();
    await page.getByRole("button", { name: "Dismiss first steps" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor({ state: "detached" });
    const isDismissed = async () =>
      (await server.callAsOwner("GET", "/preferences")).body.isChecklistDismissed === true;
    await until("the preference is saved", 10_000, isDismissed);
    await page.reload();
    await page.getByRole("tab", { name: "Favorites" }).waitFor();
    expect(await page.getByRole("heading", { name: "First steps" }).count()).toBe(0);
    await close();
  });
});

describe.skipIf(!hasBrowser)("the keyboard", () => {
  test("opens the shortcuts with ?, and runs actions from the palette", async () => {
    const name = await tool("Palette tool");
    const { page, close } = await open("/runs");
    const palette = async (text: string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("searchbox", { name: "Go to a page or tool" }).fill(text);
    };
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await checkAccessibility(page);
    await page.keyboard.press("Escape");
    await palette("dark theme");
    await page.getByRole("menuitem", { name: "Use the dark theme" }).click();
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await palette("run palette");
    await page.getByRole("menuitem", { name: /^Run Palette tool/ }).click();
    await page.waitForURL(new RegExp(`/tools/${name}.*tab=run`));
    const { body: run } = await server.run(name, {});
    await palette(run.runId);
    await page.getByRole("menuitem", { name: "Open this run" }).click();
    await page.waitForURL(new RegExp(`/runs/${run.runId}`));
    await close();
  });
});

describe.skipIf(!hasBrowser)("a missing credential", () => {
  test("is requested from admins, who see it until it is there", async () => {
    const suffix = randomUUID().slice(0, 4).toUpperCase();
    const needs = {
      title: "Needs a key",
      credentials: [{ name: `SHARED_${suffix}`, description: "", hosts: ["api.example.com"] }],
      allowedHosts: ["api.example.com"],
    };
    const name = await server.makeTool("export default () => ({});", needs);
    const email = `member-${suffix.toLowerCase()}@example.com`;
    const invitations = `/workspaces/${server.workspaceId}/invitations`;
    const invited = await server.callAsOwner("POST", invitations, { email, role: "member" });
    const invitation = String(expectStatus(201, invited).body.url).split("/").at(-1) ?? "";
    const person = { email, password: "correct-horse-battery", name: "Mel", invitation };
    const cookie = await enter(server.baseUrl, "sign-up", person);
    const { page, close } = await openAs(cookie, `/tools/${name}?tab=run`);
    await page.getByRole("button", { name: "Run", exact: true }).last().click();
    await page.getByRole("button", { name: "Ask an admin" }).click();
    await page.getByText("You have asked an admin.").waitFor();
    await checkAccessibility(page);
    const admin = await open("/credentials");
    await admin.page.getByRole("heading", { name: "Requests" }).waitFor();
    await checkAccessibility(admin.page);
    await admin.page.getByRole("link", { name: "Review" }).click();
    await admin.page.waitForURL(new RegExp(`/tools/${name}.*tab=sharing`));
    await admin.close();
    await close();
  });
});
