import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { startFakeSlack } from "../server/testing/fake-slack.ts";
import type { FakeSlack } from "../server/testing/fake-slack.ts";
import { totp } from "../server/testing/totp.ts";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility, checkWidth, choose } from "./src/console.ts";
import { clientSecret, startProvider } from "./src/provider.ts";
import type { TestProvider } from "./src/provider.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";
import { answersIn, connectTeam } from "./src/slack.ts";
import { tamper } from "./src/tamper.ts";
import { until } from "./src/until.ts";

const password = "correct horse battery";

describe.skipIf(!hasBrowser)("the console's settings", () => {
  let provider: TestProvider;
  let slack: FakeSlack;
  let server: Server;

  afterAll(async () => {
    provider?.close();
    await slack?.close();
  });
  const { open, openAs, openBrowser } = setUpConsole(async () => {
    provider = await startProvider();
    slack = await startFakeSlack();
    server = await startServer({
      ...slack.settings,
      EGRESS_PRIVATE_HOSTS: provider.host,
      RATE_LIMIT_FAILED_SIGN_INS_PER_MINUTE: "0",
      RATE_LIMIT_MAILS_PER_MINUTE: "0",
    });
    provider.serve({ redirectUri: `${server.baseUrl}/oauth2/callback` });
    return server;
  });

  const press = (page: Page, name: string | RegExp) =>
    page
      .getByRole("button", { name, ...(typeof name === "string" ? { exact: true } : {}) })
      .click();

  /** Presses a button of the dialog, since the page behind it may have one of the same name. */
  const confirm = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

  const switchWorkspace = async (page: Page, name: string) => {
    await page.getByRole("button", { name: /Workspace$/ }).click();
    await page.getByRole("menuitemradio", { name }).click();
  };

  const fill = (page: Page, name: string, text: string) =>
    page.getByRole("textbox", { name, exact: true }).fill(text);

  const shell = async (line: string) => (await promisify(execFile)("bash", ["-c", line])).stdout;

  const codeOf = async (page: Page, label: string) =>
    (await page.locator(`pre[aria-label="${label}"]`).textContent()) ?? "";

  /** Adds a new user to the owner's workspace. */
  async function join(role: string) {
    const email = `${randomUUID()}@example.com`;
    const path = `/workspaces/${server.workspaceId}/invitations`;
    const made = expectStatus(201, await server.callAsOwner("POST", path, { email, role }));
    const answer = await fetch(`${server.baseUrl}/api/auth/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.baseUrl },
      body: JSON.stringify({
        name: "Bo",
        email,
        password,
        invitation: String(made.body.url).split("/").at(-1),
      }),
    });
    expect(answer.status).toBe(200);
    const cookies = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
    return { email, cookie: cookies.join("; ") };
  }

  test("creates an API key, shows it once in a working command, and revokes it", async () => {
    const { page, close } = await open("/api-keys");
    await page.getByRole("button", { name: "Create API key" }).first().click();
    await fill(page, "Name", "Nightly report");
    await confirm(page, "Create API key");
    await page.getByText("It is shown only once").waitFor();
    // Neither closes the dialog, because the key is never shown again.
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    const key = await codeOf(page, "API key");
    const line = await codeOf(page, "Try it in a terminal");
    expect(Array.isArray(JSON.parse(await shell(line)))).toBe(true);
    await checkAccessibility(page);
    await confirm(page, "I've copied the key");
    await page.getByText("Nightly report").waitFor();
    expect(await page.content()).not.toContain(key);
    await press(page, "Revoke Nightly report");
    await confirm(page, "Revoke key");
    await page.getByText("Nightly report revoked").waitFor();
    expect(JSON.parse(await shell(line)).code).toBe("unauthenticated");
    await close();
  });

  test("connects a client with an API key created on the same page", async () => {
    const { page, close } = await open("/install");
    await page.getByRole("link", { name: "Claude Code with a key" }).click();
    await press(page, "Create API key");
    await page.getByText("Your API key is inserted below").waitFor();
    const command = await codeOf(page, "Run in a terminal");
    const key = /Bearer ([^"]+)/.exec(command)?.[1] ?? "";
    expect(page.url()).toContain("client=claude-code-key");
    expectStatus(200, await server.callWithKey(key)("GET", "/tools"));
    await close();
  });

  test("saves, replaces and deletes a credential without ever showing its value", async () => {
    const { page, close } = await open("/credentials");
    await page.getByRole("button", { name: "Add credential" }).first().click();
    await fill(page, "Name", "weather-key");
    await fill(page, "Value", "abc");
    await fill(page, "Allowed hosts", "api.example.com");
    await confirm(page, "Save credential");
    await page.getByText("It must have at least 4 characters, because").waitFor();
    await fill(page, "Value", "the-first-value");
    await confirm(page, "Save credential");
    await page.getByText("WEATHER_KEY saved").waitFor();
    const first = await server.callAsOwner("GET", "/credentials");
    await press(page, "More actions for WEATHER_KEY");
    await page.getByRole("menuitem", { name: "Replace value" }).click();
    await fill(page, "Value", "the-second-value");
    await confirm(page, "Replace value");
    await page.getByText("WEATHER_KEY replaced").waitFor();
    const second = await server.callAsOwner("GET", "/credentials");
    expect(second.body).toEqual(first.body);
    const events = await server.callAsOwner("GET", "/audit-events?action=credential.replace");
    expect(events.body).toMatchObject([{ target: first.body[0].id }]);
    expect(await page.content()).not.toMatch(/the-(?:first|second)-value/);
    await press(page, "More actions for WEATHER_KEY");
    await page.getByRole("menuitem", { name: "Delete credential" }).click();
    await confirm(page, "Delete credential");
    await page.getByText("WEATHER_KEY deleted").waitFor();
    await close();
  });

  test("opens the provider of a connection, and shows when the user has given consent", async () => {
    const { page, close } = await open("/credentials");
    await page.getByRole("button", { name: "Add credential" }).first().click();
    await choose(page, /Type$/, /OAuth 2 connection/);
    await fill(page, "Name", "SERVICE_TOKEN");
    await fill(page, "Issuer", provider.origin);
    await fill(page, "Client ID", "web");
    await fill(page, "Client secret (optional)", clientSecret);
    await fill(page, "Scopes", "api:read");
    await fill(page, "Allowed hosts", `http://${provider.host}`);
    await confirm(page, "Save credential");
    const popup = page.waitForEvent("popup");
    await page.getByRole("link", { name: "Go to provider" }).click();
    const consent = await popup;
    await consent.locator("input[name=login]").fill("ada");
    await consent.locator("input[name=password]").fill("x");
    await consent.locator("button[type=submit]").click();
    await consent.locator("input[name=login]").waitFor({ state: "detached" });
    await consent.locator("button[type=submit]").click();
    await page.getByText("Connected. Tools can use it now.").waitFor();
    await confirm(page, "Done");
    await page.getByRole("table", { name: "Credentials" }).getByText("Connected").waitFor();
    expect(provider.grants).toEqual(["authorization_code"]);
    await close();
  });

  test("invites a user by link, changes their role, and removes them", async () => {
    const { page, close } = await open("/members");
    const email = `${randomUUID()}@example.com`;
    await press(page, "Invite member");
    await confirm(page, "Send invitation");
    await page.getByText("Please fill out this field.").waitFor();
    await fill(page, "Email address", email);
    await choose(page, /Role$/, "Viewer");
    await confirm(page, "Send invitation");
    await page.getByText("This server doesn't send email").waitFor();
    const link = await codeOf(page, "Invitation link");
    await confirm(page, "Done");
    await page.getByRole("button", { name: `Revoke invitation for ${email}` }).waitFor();

    const theirs = await openBrowser();
    const guest = await theirs.newPage();
    // The browser's previous user worked in another workspace.
    await guest.goto(`${server.baseUrl}/sign-in`);
    await guest.evaluate("localStorage.setItem('toolhost-workspace', 'another')");
    await guest.goto(link);
    await guest
      .getByRole("link", { name: /account/i })
      .first()
      .click();
    await guest.getByLabel("Name").fill("Vi Viewer");
    await guest.getByLabel("Password").fill(password);
    await guest.getByRole("button").first().click();
    await guest.getByRole("heading", { level: 1 }).waitFor();
    expect(await guest.evaluate("localStorage.getItem('toolhost-workspace')")).toBe(
      server.workspaceId,
    );
    expect(guest.url()).toBe(`${server.baseUrl}/`);

    await page.reload();
    await choose(page, /Role of Vi Viewer$/, "Builder");
    await page.getByText("Vi Viewer is now Builder").waitFor();
    await choose(page, /Role of Vi Viewer$/, "Owner");
    await page.getByText(/also delete .* and remove you/).waitFor();
    await confirm(page, "Cancel");
    const path = `/workspaces/${server.workspaceId}/members`;
    const members = await server.callAsOwner("GET", path);
    expect(members.body).toContainEqual(expect.objectContaining({ email, role: "builder" }));
    await press(page, "More actions for Vi Viewer");
    await page.getByRole("menuitem", { name: "Remove member" }).click();
    await confirm(page, "Remove member");
    await page.getByText("Vi Viewer removed").waitFor();
    expect((await server.callAsOwner("GET", path)).text).not.toContain(email);
    await theirs.close();
    await close();
  });

  test("shows a member the actions of their role, and explains why others are unavailable", async () => {
    const { email, cookie } = await join("viewer");
    const { page, go, close } = await openAs(cookie, "/members");
    await page.getByText("Roles and permissions").waitFor();
    expect(await page.getByRole("button", { name: "Invite member" }).count()).toBe(0);
    const pages = page.getByRole("navigation", { name: "Pages" });
    expect(await pages.getByRole("link", { name: "Audit" }).count()).toBe(0);
    await go("/audit");
    await page.getByText("You need the Admin role").waitFor();
    await go("/credentials");
    await page.getByText("You need the Member role").waitFor();
    await go("/settings");
    await page.getByText("Only admins can change them").waitFor();
    await page.getByText("Runs today").waitFor();
    expect(await page.getByRole("button", { name: "Rename workspace" }).count()).toBe(0);

    // A removed member sees that they lost access on the next page that they open.
    const path = `/workspaces/${server.workspaceId}/members`;
    const { body } = await server.callAsOwner("GET", `${path}?limit=200`);
    const { userId } = (body as { email: string; userId: string }[]).find(
      (member) => member.email === email,
    ) ?? { userId: "" };
    expectStatus(204, await server.callAsOwner("DELETE", `${path}/${userId}`));
    await pages.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("heading", { level: 1, name: "You're not in a workspace" }).waitFor();
    await close();
  });

  test("creates, configures and switches workspaces, and deletes one after its name is typed", async () => {
    const { cookie } = await join("member");
    const first = await server.callAsOwner("GET", "/me");
    const name = String(first.body.workspace.name);
    const isIn = (workspace: string) =>
      page.getByRole("button", { name: `${workspace} Workspace`, exact: true }).waitFor();
    const { page, go, close } = await openAs(cookie, "/settings?create=workspace");
    await fill(page, "Workspace name", "Research");
    await confirm(page, "Create workspace");
    await page.getByText("Workspace Research created").waitFor();
    await go("/settings");
    await fill(page, "Workspace name", "Laboratory");
    await press(page, "Rename workspace");
    await page.getByText("Workspace renamed to Laboratory").waitFor();
    await fill(page, "Runs (days)", "9999");
    await press(page, "Save changes");
    await page.getByRole("region", { name: "Data retention" }).getByText(/must/).waitFor();
    await fill(page, "Runs (days)", "7");
    await press(page, "Save changes");
    await page.getByText("Data retention updated").waitFor();
    await page.getByText("Not configured").first().waitFor();

    await switchWorkspace(page, name);
    await isIn(name);
    await switchWorkspace(page, "Laboratory");
    await isIn("Laboratory");
    // A link to a run does not name its workspace.
    const { body: tools } = await server.call("GET", "/tools?limit=200");
    const tool = (tools as { name: string }[]).find((one) => one.name.startsWith("text_stat"));
    const { body: run } = await server.call("POST", `/run/${tool?.name}`, { text: "Once." });
    await go(`/runs/${run.runId}`);
    await press(page, `Go to ${name}`);
    await page.getByRole("heading", { level: 1, name: /^Run of/ }).waitFor();
    await switchWorkspace(page, "Laboratory");
    await isIn("Laboratory");
    await go("/settings");
    await press(page, "Delete workspace");
    await fill(page, "Type Laboratory to confirm", "Research");
    await confirm(page, "Delete workspace");
    await page.getByText("This doesn't match the workspace name").waitFor();
    await fill(page, "Type Laboratory to confirm", "Laboratory");
    await confirm(page, "Delete workspace");
    await isIn(name);
    const left = await fetch(`${server.baseUrl}/api/v1/workspaces`, { headers: { cookie } });
    expect(await left.text()).not.toContain("Laboratory");
    await close();
  });

  test("sets the length of outputs for agents", async () => {
    const path = `/workspaces/${server.workspaceId}/settings`;
    const own = async () =>
      (await server.callAsOwner("GET", path)).body.agentOutputCharacters.own as number | null;
    const { page, close } = await open("/settings");
    const card = page.getByRole("region", { name: "Outputs for agents" });
    await card.getByText("Default: 20,000").waitFor();
    const save = async (characters: string) => {
      await fill(page, "Maximum length in characters", characters);
      await press(page, "Save length");
    };
    await fill(page, "Maximum length in characters", "much");
    await card.getByText("Enter a whole number").waitFor();
    await save("10");
    await card.getByText("must be at least 1000").waitFor();
    await save("5000");
    await until("the length is saved", 5_000, async () => (await own()) === 5_000);
    const member = await openAs((await join("member")).cookie, "/settings");
    await member.page.getByText("Up to 5,000 characters.").waitFor();
    await member.close();
    await save("");
    await until("the length is reset", 5_000, async () => (await own()) === null);
    await checkAccessibility(page);
    await close();
  });

  test("learns from searches, says so at matches, and lists unmet searches to builders", async () => {
    const people = await Promise.all(["member", "member", "builder"].map(join));
    const { page, go, close } = await open("/settings");
    const card = page.getByRole("region", { name: "Learning from searches" });
    await card.getByRole("switch", { name: "Learn from searches" }).press("Space");
    await page.getByText("Settings saved").waitFor();
    // Stores what these users searched for: outcomes are known only twenty minutes after a search.
    const store = (words: string, outcome: string, tool: string) =>
      tamper(
        server,
        `insert into tool_searches (id, workspace_id, user_id, words, terms, found, outcome, tool_id)
          select concat(id, '-${words}'), '${server.workspaceId}', id, '${words}', '${words}', '[]', '${outcome}', ${tool}
          from users where email in (${people.map(({ email }) => `'${email}'`).join(", ")})`,
      );
    const name = await server.makeTool("export default () => ({})", { title: "Ledger entry" });
    await store("kaching", "run", `(select id from tools where name = '${name}')`);
    await store("teleporter", "no_match", "null");

    await go("/");
    const unmet = page.getByRole("list", { name: "Unmet searches" }).getByRole("listitem");
    await unmet.getByText("No tool found").waitFor();
    expect(await unmet.allInnerTexts()).toEqual([expect.stringMatching(/^teleporter.*3 people$/s)]);
    await checkAccessibility(page);
    await unmet.getByRole("link", { name: "teleporter" }).click();
    await page.getByText("No matching tools").waitFor();
    // What was learned is loaded by the first search.
    await until("what was learned is used", 20_000, async () => {
      await go("/?q=kaching");
      return page.getByText("kaching (people who searched for it ran this tool)").isVisible();
    });
    await close();

    const [member, , builder] = await Promise.all(people.map(({ cookie }) => openAs(cookie)));
    await builder?.page.getByText("teleporter").waitFor();
    await member?.page.getByRole("heading", { level: 1, name: "Tools" }).waitFor();
    await member?.go("/settings");
    await member?.page.getByText("Searches are stored.").waitFor();
    await member?.close();
    await builder?.close();
  });

  test("reconnects a lost chat connection, requeues dead letters, and disconnects it", async () => {
    const { team, user } = await connectTeam(server, slack);
    team.token = undefined;
    const { ts } = await slack.mention(team, user, "hello");
    const chat = `/workspaces/${server.workspaceId}/chat`;
    await until("it is lost", 30_000, async () => {
      const { body } = await server.callAsOwner("GET", chat);
      return body[0].state === "broken";
    });
    const narrow = { viewport: { width: 320, height: 720 } };
    const { page, go, close } = await open("/settings", narrow);
    await page.getByText("To requeue this, reconnect the Slack workspace.").waitFor();
    await checkWidth(page);
    await checkAccessibility(page);
    team.withheldScopes.add("reactions:write");
    await press(page, "Reconnect Engineering");
    await page.getByRole("heading", { level: 1, name: "Connected" }).waitFor();
    await go("/settings");
    const outdated = page.getByText("some features are off: reactions:write.");
    const manifest = outdated.getByRole("link", { name: "App manifest for the operator" });
    expect(await manifest.getAttribute("href")).toBe(`${server.baseUrl}/bot/slack/manifest`);
    await checkWidth(page);
    await checkAccessibility(page);
    team.withheldScopes.clear();
    await press(page, "Reconnect Engineering");
    await page.getByRole("heading", { level: 1, name: "Connected" }).waitFor();
    await go("/settings");
    await outdated.waitFor({ state: "detached" });
    await press(page, "Requeue: message from Engineering");
    await page.getByText("Message requeued").waitFor();
    await until("it is answered", 30_000, () => answersIn(team, ts).length > 0);
    await press(page, "Disconnect Engineering");
    await confirm(page, "Disconnect chat");
    await page.getByText("Engineering disconnected").waitFor();
    await until("the focus stays in the page", 30_000, () =>
      page.evaluate("document.activeElement === document.querySelector('main')"),
    );
    await close();
  });

  test("filters the audit log by URL, exports it, and verifies that it is intact", async () => {
    const { page, close } = await open("/audit");
    await choose(page, /Action$/, "Created API key");
    await page.waitForURL(/action=api_key\.create/);
    const events = page.getByRole("table", { name: "Audit events" }).locator("tbody tr");
    await events.first().waitFor();
    await until("others are gone", 30_000, async () =>
      (await events.allTextContents()).every((text) => text.includes("Created API key")),
    );
    await events.first().click();
    await page.getByText("Position in the hash chain").waitFor();
    await page.keyboard.press("Escape");

    const download = page.waitForEvent("download");
    await press(page, "Export log");
    await page.getByRole("menuitem", { name: /JSON Lines/ }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("audit-events.jsonl");
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
    const actions = lines.map((text) => (JSON.parse(text) as { action: string }).action);
    expect(new Set(actions)).toEqual(new Set(["api_key.create"]));

    const table = page.waitForEvent("download");
    await press(page, "Export log");
    await page.getByRole("menuitem", { name: "CSV" }).click();
    // Excel reads CSV as UTF-8 only after a byte order mark.
    const csv = await readFile(await (await table).path(), "utf8");
    expect(csv.startsWith('\uFEFF"sequence","at"')).toBe(true);

    await press(page, "Verify log");
    await page.getByText("The audit log is intact").waitFor();
    await checkAccessibility(page);
    await close();
  });

  test("turns two-factor authentication on with a valid code, and off again", async () => {
    const { cookie, email } = await join("member");
    const { page, close } = await openAs(cookie, "/profile");
    await press(page, "Turn on");
    await fill(page, "Password", "not my password");
    await confirm(page, "Continue");
    await page.getByText("The password is incorrect.").waitFor();
    await fill(page, "Password", password);
    await confirm(page, "Continue");
    await page.getByRole("img", { name: "Secret for the authenticator app" }).waitFor();
    await checkAccessibility(page);
    const secret = await codeOf(page, "Secret");
    await fill(page, "Code", "000000");
    await confirm(page, "Turn on");
    await page.getByText("The code is incorrect").waitFor();
    await fill(page, "Code", totp(secret));
    await confirm(page, "Turn on");
    await page.getByText("Save your backup codes").waitFor();
    expect((await codeOf(page, "Backup codes")).split("\n").length).toBeGreaterThan(5);
    await confirm(page, "I've saved them");
    await page.getByText("When you sign in, you enter a code").waitFor();

    const guest = await openBrowser();
    const signIn = await guest.newPage();
    await signIn.goto(`${server.baseUrl}/sign-in`);
    await signIn.getByLabel("Email address").fill(email);
    await signIn.getByLabel("Password").fill(password);
    await signIn.getByRole("button", { name: "Sign in" }).click();
    await signIn.waitForURL(/\/sign-in\/code/);
    await guest.close();

    await press(page, "Turn off");
    await fill(page, "Password", password);
    await confirm(page, "Turn off");
    await page.getByText("Two-factor authentication turned off").waitFor();
    await close();
  });

  test("changes name and password, exports the user's data, and deletes the account", async () => {
    const { cookie } = await join("member");
    const { page, close } = await openAs(cookie, "/profile");
    await fill(page, "Display name", "Bo Builder");
    await press(page, "Save name");
    await page
      .getByRole("button", { name: /^Profile of/ })
      .getByText("Bo Builder")
      .waitFor();
    await press(page, "Change password");
    await fill(page, "Current password", password);
    await fill(page, "New password", "another horse battery");
    await fill(page, "Repeat new password", "another horse batterie");
    await confirm(page, "Change password");
    await page.getByText("The passwords don't match.").waitFor();
    await fill(page, "Repeat new password", "another horse battery");
    await confirm(page, "Change password");
    await page.getByText("Password changed").waitFor();
    const before = await fetch(`${server.baseUrl}/api/v1/sessions`, { headers: { cookie } });
    expect(before.status).toBe(401);

    const download = page.waitForEvent("download");
    await press(page, "Export data");
    expect(await readFile(await (await download).path(), "utf8")).toContain("Bo Builder");

    await press(page, "Delete account");
    await fill(page, "Password", "another horse battery");
    await page.getByText("I understand that this can't be undone").click();
    await confirm(page, "Delete account");
    await page.waitForURL(/\/sign-in/);
    await close();
  });
});
