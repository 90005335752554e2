import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { startWebhookReceiver, verifyWebhook } from "../server/testing/webhook-receiver.ts";
import type { WebhookReceiver } from "../server/testing/webhook-receiver.ts";
import { hasBrowser } from "./src/browser.ts";
import { checkPage } from "./src/console.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

describe.skipIf(!hasBrowser)("the console's webhooks", () => {
  let receiver: WebhookReceiver;
  let server: Server;

  afterAll(() => receiver?.close());
  const { open } = setUpConsole(async () => {
    receiver = await startWebhookReceiver();
    server = await startServer({ EGRESS_PRIVATE_HOSTS: receiver.host });
    return server;
  });

  const confirm = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  const fill = (page: Page, name: string, text: string) =>
    page.getByRole("textbox", { name, exact: true }).fill(text);
  const choose = async (page: Page, item: string) => {
    await page.getByRole("button", { name: "More actions for Ledger" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const secretIn = async (page: Page) =>
    (await page.locator('pre[aria-label="Signing secret"]').textContent()) ?? "";

  test("creates, tests, edits, rotates and deletes a webhook, and requeues its dead letter", async () => {
    // In case an earlier attempt failed.
    for (const { id } of (await server.callAsOwner("GET", "/webhooks")).body) {
      await server.callAsOwner("DELETE", `/webhooks/${id}`);
    }
    receiver.received.length = 0;
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    const opened = await open("/settings");
    const { page } = opened;
    await page.getByRole("link", { name: "Manage webhooks" }).click();
    await page.getByRole("button", { name: "Create webhook" }).first().click();
    await fill(page, "URL", "http://example.com/hook");
    await confirm(page, "Create webhook");
    await page.getByText("must be an HTTPS URL").waitFor();
    await fill(page, "URL", receiver.url);
    await fill(page, "Description", "Ledger");
    await confirm(page, "Create webhook");
    const secret = await secretIn(page);
    expect(secret).toMatch(/^whsec_/);
    await confirm(page, "I've copied the secret");
    expect(await page.content()).not.toContain(secret);

    await choose(page, "Send test event");
    await page.getByText(/Test event delivered: status 204/).waitFor();
    const [sent] = receiver.received;
    if (sent === undefined) throw new Error("nothing was sent");
    expect(verifyWebhook(secret, sent)).toMatchObject({ type: "webhook.test" });

    await choose(page, "Edit webhook");
    await page.getByRole("checkbox", { name: "Run cancelled" }).click({ force: true });
    await confirm(page, "Save changes");
    await page.getByText("Run completed, Run failed").waitFor();

    await choose(page, "Rotate secret");
    await confirm(page, "Rotate secret");
    await page.getByText("Each replaced secret also signs requests").waitFor();
    expect(await secretIn(page)).not.toBe(secret);
    await confirm(page, "I've copied the secret");

    // A status of 410 makes a dead letter at the first attempt.
    receiver.respond = (_request, response) => void response.writeHead(410).end();
    const tool = await server.makeTool("export default () => ({});");
    const { runId } = (await server.run(tool)).body;
    await receiver.wait(2);
    await page.getByText("Disabled because the URL responded with status 410").waitFor();
    await page.getByText("1 dead letter", { exact: true }).waitFor();
    await checkPage(opened, "/webhooks");
    receiver.respond = (_request, response) => void response.writeHead(200).end();
    await choose(page, "Enable webhook");
    await page.getByText("Webhook enabled").waitFor();

    await page.getByRole("link", { name: "Deliveries to Ledger" }).click();
    await page.getByText("The endpoint responded with status 410").waitFor();
    await page.getByRole("tab", { name: "Dead letters" }).click();
    expect(page.url()).toContain("state=dead");
    await checkPage(opened, new URL(page.url()).pathname);
    await page.getByRole("button", { name: "Requeue dead letters" }).click();
    await page.getByText("Dead letters requeued").waitFor();
    await receiver.wait(3);
    await page.getByText("Delivered", { exact: true }).last().waitFor();
    expect(receiver.received.map(({ id }) => id).slice(-2)).toEqual([
      receiver.received[1]?.id,
      receiver.received[1]?.id,
    ]);
    await page.getByRole("link", { name: `View run ${String(runId)}` }).click();
    await page.getByText(String(runId)).first().waitFor();

    await opened.go("/webhooks");
    await choose(page, "Delete webhook");
    await confirm(page, "Delete webhook");
    await page.getByText("No webhooks yet").waitFor();
    await opened.close();
  });
});
