import { describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility, checkWidth } from "./src/console.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

let server: Server;

const { open } = setUpConsole(async () => {
  server = await startServer();
  return server;
});

/** Creates a tool without approval, as an agent does whose key must not use credentials. */
async function makeUnapproved(name: string): Promise<string> {
  const scopes = ["mcp:read", "mcp:execute", "tools:write"];
  const { key } = await server.createKey({ name: "Agent", scopes });
  const made = await server.callWithKey(key)("POST", "/tools", {
    title: "Signs requests",
    description: "Signs and sends.",
    inputSchema: { type: "object" },
    source: {
      language: "javascript",
      code: `export default (_, ctx) => ({ length: ctx.credentials.${name}.length })`,
    },
    allowedHosts: ["api.example.com", "b.example.com"],
    credentials: [{ name, hosts: ["api.example.com", "b.example.com"], expose: true }],
  });
  return String(expectStatus(201, made).body.name);
}

describe.skipIf(!hasBrowser)("the approval of a tool's credentials", () => {
  test("takes place on one page, and updates the tool page", async () => {
    const credential = { name: "SIGNING_KEY", value: "sk-a-secret", hosts: ["api.example.com"] };
    expectStatus(201, await server.callAsOwner("POST", "/credentials", credential));
    const tool = await makeUnapproved(credential.name);
    const { page, close } = await open(`/tools/${tool}`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Approval required").waitFor();
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Review SIGNING_KEY" }).click();
    const review = await opened;
    await review.getByText(/code sees the value of SIGNING_KEY/).waitFor();
    await review.getByText("SIGNING_KEY can't be sent to b.example.com.").waitFor();
    await checkAccessibility(review);
    await checkWidth(review);
    const choices = await review.getByRole("checkbox").all();
    expect(await Promise.all(choices.map((choice) => choice.isChecked()))).toEqual([false, false]);
    await review.getByRole("checkbox", { name: "Let code read SIGNING_KEY" }).check();
    await review.getByRole("checkbox", { name: /to be sent to b.example.com/ }).check();
    await review.getByRole("button", { name: "Approve version 1" }).click();
    await review.getByText("You can close this window.").waitFor();
    await review.close();
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText("All credentials are available.").waitFor();
    expect(await page.getByText("Approval required").count()).toBe(0);
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByText("Completed").waitFor();
    const { body } = await server.callAsOwner("GET", "/credentials");
    expect(body).toMatchObject([{ exposable: true, hosts: ["api.example.com", "b.example.com"] }]);
    await close();
  });

  test("starts from the Sharing tab, which also shows a withdrawal", async () => {
    const tool = await makeUnapproved("OTHER_KEY");
    const { page, close } = await open(`/tools/${tool}?tab=sharing`);
    const add = page.waitForEvent("popup");
    await page.getByRole("link", { name: "Add OTHER_KEY" }).click();
    const form = await add;
    await form.getByLabel("Value, for example a key or a token").fill("sk-other-secret");
    expect(await form.getByLabel("Allowed hosts, one per line").inputValue()).toBe(
      "api.example.com\nb.example.com",
    );
    await form.getByRole("button", { name: "Save and approve version 1" }).click();
    await form.getByText("The tool still can't run.").waitFor();
    await form.getByRole("link", { name: "Let code read OTHER_KEY" }).click();
    await form.getByRole("button", { name: "Let code read OTHER_KEY" }).click();
    await form.getByText("Code can now read OTHER_KEY.").waitFor();
    await form.close();
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText("Approved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Withdraw approval for your credentials" }).click();
    await page.getByText("Withdrawn by you").waitFor();
    const again = page.waitForEvent("popup");
    await page.getByRole("link", { name: "Review version 1" }).first().click();
    const review = await again;
    await review.getByText("Its approval was withdrawn.").waitFor();
    await close();
  });
});

describe.skipIf(!hasBrowser)("the credentials of a draft", () => {
  test("shows whether they can be sent to the tool's hosts, and adds them without leaving the editor", async () => {
    const other = { name: "OTHER_HOST_KEY", value: "sk-a-secret", hosts: ["other.example.com"] };
    expectStatus(201, await server.callAsOwner("POST", "/credentials", other));
    const hosts = ["api.example.com", "b.example.com"];
    const definition = {
      title: "Signs",
      description: "Signs and sends.",
      inputSchema: { type: "object" },
      source: { language: "javascript", code: "export default () => ({});" },
      allowedHosts: hosts,
      credentials: [
        { name: "EDITOR_KEY", hosts },
        { name: other.name, hosts },
      ],
    };
    const draft = expectStatus(201, await server.callAsOwner("POST", "/drafts", { definition }));
    const path = `/drafts/${String(draft.body.id)}?tab=access`;
    const { page, close } = await open(path);
    const missing = page.getByRole("group", { name: "Credential EDITOR_KEY" });
    await missing.getByText("Not added yet").waitFor();
    const elsewhere = page.getByRole("group", { name: `Credential ${other.name}` });
    await elsewhere.getByText("Personal, for other hosts").waitFor();
    await elsewhere.getByText("can't be sent to api.example.com, b.example.com").waitFor();
    await missing.getByRole("button", { name: "Add credential value" }).click();
    const dialog = page.getByRole("dialog", { name: "Add credential" });
    expect(await dialog.getByLabel("Name").inputValue()).toBe("EDITOR_KEY");
    expect(await dialog.getByLabel("Allowed hosts").inputValue()).toBe(hosts.join("\n"));
    await checkAccessibility(page);
    await dialog.getByLabel("Value", { exact: true }).fill("sk-editor-secret");
    await dialog.getByRole("button", { name: "Save credential" }).click();
    await missing.getByText("Personal", { exact: true }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
    await close();
  });
});
