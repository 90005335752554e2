import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMailbox } from "../server/testing/mailbox.ts";
import type { Mailbox } from "../server/testing/mailbox.ts";
import { startWebhookReceiver, verifyWebhook } from "../server/testing/webhook-receiver.ts";
import type { WebhookReceiver } from "../server/testing/webhook-receiver.ts";
import { hasBrowser } from "./src/browser.ts";
import { checkPage, choose } from "./src/console.ts";
import { draftOf, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

describe.skipIf(!hasBrowser)("the console's overview and alerts", () => {
  let mailbox: Mailbox;
  let receiver: WebhookReceiver;
  let server: Server;
  let tool: string;

  afterAll(async () => {
    await Promise.all([mailbox?.close(), receiver?.close()]);
  });
  const { open } = setUpConsole(async () => {
    [mailbox, receiver] = await Promise.all([
      startMailbox("user", "password"),
      startWebhookReceiver(),
    ]);
    server = await startServer({ SMTP_URL: mailbox.url, EGRESS_PRIVATE_HOSTS: receiver.host });
    return server;
  });
  beforeAll(async () => {
    const code =
      "export default ({ works }) => { if (!works) throw new Error('Out of stock'); return {}; };";
    const made = await server.call("POST", "/tools", { ...draftOf(code), title: "Order parts" });
    tool = made.body.name;
  });

  const run = (body: object) => server.call("POST", `/run/${tool}`, body);

  test("shows figures of runs, and downloads them", async () => {
    await run({ works: true });
    await run({});
    const opened = await open("/overview");
    const { page } = opened;
    await page.getByText("1 of 2 failed").waitFor();
    await page.getByText("Out of stock").waitFor();
    const chart = page.getByRole("img", { name: /^Bar chart of runs: 1 completed, 1 failed/ });
    await chart.waitFor();
    await page.getByText("Show as table").first().click();
    await page.getByRole("columnheader", { name: "Completed" }).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download CSV of Runs" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(lines[0]).toBe("Hour,completed,failed,cancelled");
    expect(lines).toHaveLength(25);
    await choose(page, /Time range/, "Last 30 days");
    await page.waitForURL(/range=30d/);
    await page.getByRole("link", { name: "Order parts" }).first().click();
    await page.getByRole("tab", { name: "Statistics", selected: true }).waitFor();
    await page.getByText("1 of 2 failed").waitFor();
    await checkPage(opened, "/overview?range=7d");
    await checkPage(opened, `/tools/${tool}?tab=stats`);
    await opened.close();
  });

  test("shows an empty state instead of charts of a tool without runs", async () => {
    const code = "export default () => ({});";
    const made = await server.call("POST", "/tools", { ...draftOf(code), title: "Count parts" });
    const opened = await open(`/tools/${made.body.name}?tab=stats`);
    await opened.page.getByRole("heading", { name: "No runs in this time range" }).waitFor();
    expect(await opened.page.getByRole("img", { name: /^Bar chart/ }).count()).toBe(0);
    await checkPage(opened, `/tools/${made.body.name}?tab=stats`);
    await opened.close();
  });

  test("creates an alert that is delivered by email and to a webhook", async () => {
    for (const { id } of (await server.callAsOwner("GET", "/alerts")).body) {
      await server.callAsOwner("DELETE", `/alerts/${id}`);
    }
    receiver.received.length = 0;
    const body = { url: receiver.url, description: "Ledger", events: ["run.cancelled"] };
    const webhook = (await server.callAsOwner("POST", "/webhooks", body)).body;
    const { email } = (await server.callAsOwner("GET", "/me")).body.user;
    const opened = await open("/alerts");
    const { page } = opened;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Create alert" }).first().click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Orders fail");
    await dialog.getByRole("combobox", { name: "Tool" }).fill("order parts");
    await page.getByRole("option", { name: "Order parts" }).click();
    await dialog.getByLabel("Minimum runs").fill("2");
    const recipient = dialog.getByRole("group", { name: "Email" }).getByRole("checkbox");
    await recipient.uncheck({ force: true });
    await dialog.getByRole("button", { name: "Create alert" }).click();
    await dialog.getByText("Choose at least one recipient.").waitFor();
    expect(await dialog.getByText("/notify").count()).toBe(0);
    await recipient.check({ force: true });
    await dialog.getByText("Ledger").click();
    const submit = dialog.getByRole("button", { name: "Create alert" });
    // The buttons are in sight without scrolling.
    const { y = 0, height = 0 } = (await submit.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    await run({});
    await run({});
    await run({});
    await dialog.getByRole("button", { name: "Create alert" }).click();
    const list = page.getByRole("list", { name: "Alerts" });
    await list.getByText("Firing", { exact: true }).waitFor({ timeout: 30_000 });
    expect(await mailbox.next(email)).toContain("Subject: Alert: Orders fail");
    const [received] = await receiver.wait(1);
    if (received === undefined) throw new Error("No event");
    expect(verifyWebhook(webhook.secret, received)).toMatchObject({
      type: "alert.firing",
      data: { name: "Orders fail", toolName: tool },
    });
    await page.getByRole("link", { name: "History of Orders fail" }).click();
    await page.getByText("Webhook Ledger").waitFor();
    await page.getByText("Email to you").waitFor();
    const failedRuns = page.getByRole("link", { name: "View failed runs" });
    expect(await failedRuns.getAttribute("href")).toBe(`/runs?status=failed&toolName=${tool}`);
    await expect.poll(() => page.getByText("Delivered", { exact: true }).count()).toBe(2);
    await checkPage(opened, new URL(page.url()).pathname);
    await checkPage(opened, "/alerts");
    await page.getByRole("button", { name: "More actions for Orders fail" }).click();
    await page.getByRole("menuitem", { name: "Send test notification" }).click();
    expect(await mailbox.next(email)).toContain("Subject: Test of alert: Orders fail");
    await page.getByRole("button", { name: "More actions for Orders fail" }).click();
    await page.getByRole("menuitem", { name: "Edit alert" }).click();
    await dialog.getByText("Quiet hours").click();
    const hour = (hours: number) =>
      `${String((new Date().getUTCHours() + hours + 24) % 24).padStart(2, "0")}:00`;
    await dialog.getByLabel("Start", { exact: true }).fill(hour(-1));
    await dialog.getByLabel("End", { exact: true }).fill(hour(3));
    await dialog.getByLabel("Time zone").selectOption("Europe/Berlin");
    expect(await dialog.getByLabel("Time zone").inputValue()).toBe("Europe/Berlin");
    await dialog.getByLabel("Time zone").selectOption("UTC");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await dialog.waitFor({ state: "detached" });
    // Changing the condition starts the alert again, so it fires within the quiet hours.
    const [{ id: alertId }] = (await server.callAsOwner("GET", "/alerts")).body;
    await server.callAsOwner("PATCH", `/alerts/${alertId}`, {
      condition: { kind: "failure_rate", percent: 49, windowMinutes: 60, minRuns: 2 },
    });
    await page.getByRole("link", { name: "History of Orders fail" }).click();
    await page.getByText(/^Quiet hours \d\d:00–\d\d:00, UTC$/).waitFor();
    await expect
      .poll(() => page.getByText(/^Quiet hours until /).count(), {
        timeout: 30_000,
      })
      .toBe(2);
    await checkPage(opened, new URL(page.url()).pathname);
    await page.getByRole("button", { name: "More actions for Orders fail" }).click();
    await page.getByRole("menuitem", { name: "Delete alert" }).click();
    await dialog.getByRole("button", { name: "Delete alert" }).click();
    await page.getByText("No alerts yet").waitFor();
    await opened.close();
  });

  test("compares two runs, copies a link, and finds runs and events by what they are about", async () => {
    const first = (await run({ works: true, note: "one" })).body.runId;
    const second = (await run({ works: true, note: "two" })).body.runId;
    const opened = await open(`/runs/${second}`);
    const { page, go } = opened;
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Copy link" }).click();
    await page.getByText("Copied").waitFor();
    const link = await page.evaluate("navigator.clipboard.readText()");
    expect(link).toBe(`${server.baseUrl}/runs/${second}`);
    await page.getByRole("link", { name: "Compare" }).click();
    await go(`/runs/${second}/compare?with=${first}`);
    const input = page.getByRole("region", { name: /Input/ });
    await input.getByText('"note": "one"').waitFor();
    await input.getByText('"note": "two"').waitFor();
    await checkPage(opened, `/runs/${second}/compare?with=${first}`);
    await go("/runs?host=api.example.com");
    const host = page.getByRole("textbox", { name: "Host" });
    expect(await host.inputValue()).toBe("api.example.com");
    await host.fill("");
    await host.press("Enter");
    await page.getByRole("link", { name: "Order parts" }).first().waitFor();
    await go("/audit");
    await page.getByRole("searchbox", { name: "Search events" }).fill("order PARTS");
    await page.getByRole("row", { name: /^Created tool Order parts/ }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Ran tool" }).count()).toBe(0);
    await opened.close();
  });
});
