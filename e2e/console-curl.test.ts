import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility, checkPage, checkWidth } from "./src/console.ts";
import { startDocumentedApi } from "./src/documented-api.ts";
import type { DocumentedApi } from "./src/documented-api.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

const secret = "the-secret-of-the-command";

describe.skipIf(!hasBrowser)("importing a curl command", () => {
  let api: DocumentedApi;
  let server: Server;

  afterAll(() => api?.close());
  const { open } = setUpConsole(async () => {
    api = await startDocumentedApi();
    server = await startServer({ EGRESS_PRIVATE_HOSTS: api.host });
    return server;
  });

  const press = (page: Page, name: string) =>
    page.getByRole("button", { name, exact: true }).first().click();
  const paste = async (page: Page, command: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(command)})`);
    await page.getByRole("textbox", { name: "Command" }).waitFor();
    // The field has the focus already.
    await page.keyboard.press("Control+V");
    await page.getByRole("region", { name: "Request" }).waitFor();
  };
  /** Everything that the page sent and the service stored, except the value of the credential. */
  const listenToRequests = (page: Page) => {
    const sent: { url: string; body: string }[] = [];
    page.on("request", (request) => {
      sent.push({ url: request.url(), body: request.postData() ?? "" });
    });
    return sent;
  };

  test("publishes a tool of a pasted command with few clicks", async () => {
    const opened = await open("/");
    const { page } = opened;
    const sent = listenToRequests(page);
    let clicks = 0;
    await page.exposeFunction("countClick", () => (clicks += 1));
    await page.evaluate(
      `addEventListener("click", (event) => event.isTrusted && countClick(), true)`,
    );
    await press(page, "Import");
    await page.getByRole("menuitem", { name: "curl command" }).click();
    await paste(
      page,
      `curl 'http://${api.host}/v1/pets/7/notes?lang=en' -H 'Authorization: Bearer ${secret}' \\\n` +
        `  -H 'content-type: application/json' --data-raw '{"text":"Hi","loud":true}'`,
    );
    await page.getByText(`http://${api.host}/v1/pets/{petId}/notes`).waitFor();
    await page.getByText("Header authorization").waitFor();
    await press(page, "Create draft");
    await page.getByRole("heading", { level: 1, name: "Create pet note" }).waitFor();
    await page.getByText("All changes saved").or(page.getByText("Saved")).first().waitFor();
    const run = page.getByRole("region", { name: "Run", exact: true });
    await run.getByRole("button", { name: "Run", exact: true }).click();
    await run.getByText("/v1/pets/7/notes").first().waitFor();
    await press(page, "Publish");
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await page.waitForURL(/\/tools\//);
    expect(clicks).toBe(6);
    expect(api.received).toMatchObject([
      {
        method: "POST",
        url: "/v1/pets/7/notes?lang=en",
        authorization: `Bearer ${secret}`,
        body: '{"text":"Hi","loud":true}',
      },
    ]);
    const toolName = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const tool = await server.callAsOwner("GET", `/tools/${toolName}`);
    expect(JSON.stringify(tool.body)).not.toContain(secret);
    const withSecret = sent.filter(({ url, body }) => (url + body).includes(secret));
    expect(withSecret.map(({ url }) => new URL(url).pathname)).toEqual(["/api/v1/credentials"]);
    await opened.close();
  });

  test("offers an existing credential, and lets a user choose what is an input", async () => {
    await server.callAsOwner("DELETE", "/credentials/API_TOKEN?owner=user");
    const hosts = [`http://${api.host}`];
    const existing = { name: "CATS_KEY", value: "the-key-of-cats", hosts };
    await server.callAsOwner("POST", "/credentials", existing);
    const opened = await open("/imports/curl");
    const { page } = opened;
    const choice = page.getByRole("combobox", { name: /Comes from/ });
    const chosen = choice.locator("option:checked");
    const command = page.getByRole("textbox", { name: "Command" });
    await command.fill(`curl 'http://${api.host}/search?api_key=$API_KEY'`);
    await expect.poll(() => chosen.textContent()).toBe("CATS_KEY");
    await command.fill("");
    await command.focus();
    await paste(page, `curl 'http://${api.host}/search?q=cats&limit=5&api_key=${secret}'`);
    await page.getByText("Query api_key").waitFor();
    await expect.poll(() => chosen.textContent()).toBe("New credential API_KEY");
    await press(page, "Use CATS_KEY");
    await page.getByText("The value in the command is not used").waitFor();
    await expect.poll(() => chosen.textContent()).toBe("CATS_KEY");
    await page.getByRole("checkbox", { name: /Limit/ }).click({ force: true });
    await press(page, "Create draft");
    await page.waitForURL(/\/drafts\//);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { definition } = (await server.callAsOwner("GET", `/drafts/${id}`)).body;
    expect(definition.credentials).toMatchObject([{ name: "CATS_KEY", hosts }]);
    expect(Object.keys(definition.inputSchema.properties)).toEqual(["q"]);
    expect(definition.source.code).toContain(`parameter("limit", 5)`);
    expect(definition.examples).toEqual([{ input: { q: "cats" } }]);
    expect(JSON.stringify(definition)).not.toContain(secret);
    await opened.close();
  });

  test("adds a credential that a run lacks without leaving the draft", async () => {
    const opened = await open("/imports/curl");
    const { page } = opened;
    await page
      .getByRole("textbox", { name: "Command" })
      .fill(`curl http://${api.host}/v1/dogs/7 -H "X-Dog-Token: $TOKEN"`);
    await page.getByRole("combobox", { name: /Comes from/ }).selectOption("new");
    await press(page, "Create draft");
    await page.waitForURL(/\/drafts\//);
    const { href } = new URL(page.url());
    const run = page.getByRole("region", { name: "Run", exact: true });
    await run.getByRole("button", { name: "Run", exact: true }).click();
    await run.getByText("This draft needs").waitFor();
    await run.getByRole("button", { name: /^Add / }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    // The value is the first field that is left to fill in, so it has the focus.
    await page.keyboard.type("the-token-of-dogs");
    await dialog.getByRole("button", { name: "Save credential" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(page.url()).toBe(href);
    expect(await run.getByText("This draft needs").count()).toBe(0);
    await run.getByRole("button", { name: /^Run/ }).click();
    await run.getByText("/v1/dogs/7").first().waitFor();
    await opened.close();
  });

  test("explains commands that cannot be read, and hosts that tools cannot reach", async () => {
    const opened = await open("/imports/curl");
    const { page } = opened;
    const command = page.getByRole("textbox", { name: "Command" });
    await command.fill("wget https://api.example.com");
    await page.getByText('must start with "curl"').waitFor();
    await checkAccessibility(page);
    await command.fill("curl http://10.1.2.3/x -H 'X-Api-Key: $KEY'");
    await page.getByLabel("Value", { exact: true }).waitFor();
    await checkAccessibility(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await checkWidth(page);
    await page.getByRole("alert").getByText("it is a private address").waitFor();
    await page.getByRole("alert").getByText("EGRESS_PRIVATE_HOSTS").waitFor();
    expect(await page.getByRole("button", { name: "Create draft" }).isDisabled()).toBe(true);
    await checkPage(opened, "/imports/curl");
    await opened.close();
  });
});
