import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility, checkWidth } from "./src/console.ts";
import { askForConsent } from "./src/fill-console.ts";
import { createCall } from "./src/http.ts";
import type { Call } from "./src/http.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";
import { enter } from "./src/sign-in.ts";

let server: Server;
let member: { cookie: string; call: Call };

const { open, openAs } = setUpConsole(async () => {
  server = await startServer({ SIGN_UP: "open" });
  return server;
});
beforeAll(async () => {
  const { baseUrl, workspaceId } = server;
  const email = `${randomUUID()}@example.com`;
  const path = `/workspaces/${workspaceId}/invitations`;
  const made = await server.callAsOwner("POST", path, { email, role: "builder" });
  const invitation = String(expectStatus(201, made).body.url).split("/").at(-1) ?? "";
  const person = { email, name: "Grace", password: "correct horse battery", invitation };
  const cookie = await enter(baseUrl, "sign-up", person);
  const headers = { cookie, "x-workspace-id": workspaceId };
  const call = createCall(
    () => baseUrl,
    () => headers,
  );
  member = { cookie, call };
});

describe.skipIf(!hasBrowser)("the page Access", () => {
  test("lists the keys and apps of all members with visible names, and revokes them", async () => {
    const draft = { name: "Night\u202Ejob", scopes: ["mcp:read"] };
    const { key } = expectStatus(201, await member.call("POST", "/api-keys", draft)).body;
    const consent = await open(await askForConsent(server));
    const redirected = consent.page.waitForRequest(/^http:\/\/127\.0\.0\.1:9\/callback/);
    await consent.page.getByRole("button", { name: "Allow" }).click({ noWaitAfter: true });
    await redirected;
    await consent.close();
    const { page, go, close } = await open("/access");
    const rows = page.getByRole("table", { name: "API keys and connected apps" }).getByRole("row");
    const keyRow = rows.filter({ hasText: "Night\\u{202e}job" });
    await keyRow.filter({ hasText: "Grace" }).waitFor();
    const appRow = rows.filter({ hasText: "Example agent" });
    await appRow.waitFor();
    await checkAccessibility(page);
    await checkWidth(page);
    for (const row of [keyRow, appRow]) {
      await row.getByRole("button", { name: /^Revoke/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke access" }).click();
      await row.waitFor({ state: "detached" });
    }
    await page.getByText("Night\\u{202e}job revoked").waitFor();
    await go("/audit");
    await page
      .getByText(/^Night\\u\{202e\}job/)
      .first()
      .waitFor();
    expectStatus(401, await server.callWithKey(String(key))("GET", "/tools"));
    expect((await server.callAsOwner("GET", "/connected-apps")).body).toEqual([]);
    await close();
  });

  test("is for admins only", async () => {
    const { page, close } = await openAs(member.cookie, "/access");
    await page.getByText("You need the Admin role").waitFor();
    await close();
  });
});

describe.skipIf(!hasBrowser)("links between pages of the console", () => {
  const code = `export default ({ fails }: { fails: boolean }) => {
  const left = 0;
  if (fails) throw new Error("Nothing is left: " + left);
  return { left };
};
`;
  const makeTool = (title: string) =>
    server.makeTool(code, { title, source: { language: "typescript", code } });

  test("finds a run to compare with by its ID, and says when none matches", async () => {
    const name = await makeTool("Compared tool");
    const ids: string[] = [];
    for (const fails of [false, false, true])
      ids.push(String((await server.run(name, { fails })).body.runId));
    const [first = "", , last = ""] = ids;
    const { page, close } = await open(`/runs/${last}/compare`);
    const picker = page.getByRole("combobox", { name: "Other run" });
    await picker.fill("no such run");
    await page.getByText("No matching runs").waitFor();
    await picker.fill(first);
    await expect.poll(() => page.getByRole("option").count()).toBe(1);
    await page.getByRole("option", { name: /Compared tool/ }).click();
    await page.waitForURL(new RegExp(`with=${first}`));
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await picker.inputValue()).toMatch(/^Compared tool, completed/);
    await close();
  });

  test("opens the line of the code that failed", async () => {
    const name = await makeTool("Broken tool");
    const { body } = await server.run(name, { fails: true });
    const { page, close } = await open(`/runs/${String(body.runId)}`);
    await page.getByRole("link", { name: "View line 3 of the code" }).click();
    await page.waitForURL(/\/tools\/.*version=1.*line=3|line=3.*version=1/);
    await page.getByText("Nothing is left").first().waitFor();
    await close();
  });

  test("opens the tool of an audit event, and links no tool that was archived", async () => {
    await makeTool("Audited tool");
    const gone = await makeTool("Retired tool");
    expectStatus(204, await server.call("DELETE", `/tools/${gone}`));
    const { page, close } = await open("/audit");
    const rows = page.getByRole("table", { name: "Audit events" }).getByRole("row");
    const dialog = page.getByRole("dialog");
    await rows
      .filter({ hasText: /^Archived tool.*Retired tool/s })
      .getByRole("button")
      .first()
      .click();
    await dialog.getByText(gone).first().waitFor();
    expect(await dialog.getByRole("link").count()).toBe(0);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await rows
      .filter({ hasText: /^Created tool.*Audited tool/s })
      .getByRole("button")
      .first()
      .click();
    await dialog.locator('a[href*="/tools/"]').click();
    await page.getByRole("heading", { level: 1, name: "Audited tool" }).waitFor();
    await close();
  });
});
