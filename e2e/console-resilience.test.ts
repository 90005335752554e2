import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { createCall } from "./src/http.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";
import { enter } from "./src/sign-in.ts";

let server: Server;

const { open } = setUpConsole(async () => {
  server = await startServer();
  return server;
});

/** Opens the form of an API key, and types a name. */
async function fillKeyForm(page: Page, name: string) {
  await page.getByRole("button", { name: "Create API key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  return { dialog, submit: dialog.getByRole("button", { name: "Create", exact: false }).last() };
}

async function keysNamed(name: string): Promise<number> {
  const { body } = expectStatus(200, await server.callAsOwner("GET", "/api-keys"));
  return body.filter((key: { name: string }) => key.name === name).length;
}

describe.skipIf(!hasBrowser)("A form of the console", () => {
  test("sends a double click once", async () => {
    const { page, close } = await open("/api-keys");
    const { dialog, submit } = await fillKeyForm(page, "Pressed twice");
    await submit.dblclick();
    await dialog.getByText(/th_/).first().waitFor();
    expect(await keysNamed("Pressed twice")).toBe(1);
    await close();
  });

  test("is sent once, however often it is submitted after the response was lost", async () => {
    const { page, close } = await open("/api-keys");
    const { dialog, submit } = await fillKeyForm(page, "Response lost");
    await page.route("**/api/v1/api-keys", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      return route.abort();
    });
    await submit.click();
    await dialog
      .getByRole("alert")
      .getByText(/can't be reached/)
      .waitFor();
    await page.unroute("**/api/v1/api-keys");
    await submit.click();
    await dialog.getByText(/th_/).first().waitFor();
    expect(await keysNamed("Response lost")).toBe(1);
    await close();
  });

  test("keeps its input when the session has ended, and sends it after signing in again", async () => {
    const { page, close } = await open("/api-keys");
    const { dialog, submit } = await fillKeyForm(page, "Late sender");
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await submit.click();
    await dialog
      .getByRole("alert")
      .getByText(/Your session has ended/)
      .waitFor();
    await page.context().addCookies(cookies);
    await submit.click();
    await dialog.getByText(/th_/).first().waitFor();
    expect(await keysNamed("Late sender")).toBe(1);
    await close();
  });
});

describe.skipIf(!hasBrowser)("A tab of the console", () => {
  test("reloads once another user has signed in, and never acts as that user", async () => {
    const { page, close } = await open("/api-keys");
    const { dialog, submit } = await fillKeyForm(page, "Of the first user");
    const person = { email: "ben@example.com", password: "a long pass phrase", name: "Ben" };
    const { baseUrl, workspaceId, callAsOwner } = server;
    const path = `/workspaces/${workspaceId}/invitations`;
    const invited = { email: person.email, role: "admin" };
    const { body } = expectStatus(201, await callAsOwner("POST", path, invited));
    const invitation = String(body.url).split("/").at(-1) ?? "";
    const cookie = await enter(baseUrl, "sign-up", { ...person, invitation });
    for (const pair of cookie.split("; ")) {
      const [name = "", ...value] = pair.split("=");
      await page.context().addCookies([{ name, value: value.join("="), url: baseUrl }]);
    }
    await submit.click();
    await dialog
      .getByRole("alert")
      .getByText(/Your session has ended/)
      .waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "Runs" }).first().click();
    await page.getByRole("button", { name: /Ben/ }).waitFor();
    const mine = createCall(
      () => baseUrl,
      () => ({ cookie, origin: baseUrl, "x-workspace-id": workspaceId }),
    );
    expect((await mine("GET", "/api-keys")).body).toEqual([]);
    await close();
  });
});

describe.skipIf(!hasBrowser)("A saved view", () => {
  const save = async (page: Page, name: string) => {
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save view" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill(name);
    await dialog.getByRole("button", { name: "Save", exact: false }).last().click();
    return dialog;
  };
  const names = async () => {
    const { body } = expectStatus(200, await server.callAsOwner("GET", "/preferences"));
    return body.views.map((view: { name: string }) => view.name);
  };

  test("keeps the views that another tab has saved in the meantime", async () => {
    const first = await open("/runs?status=failed");
    const second = await open("/runs?status=completed");
    await (await save(first.page, "First")).waitFor({ state: "detached" });
    await (await save(second.page, "Second")).waitFor({ state: "detached" });
    expect(await names()).toEqual(["First", "Second"]);
    await first.close();
    await second.close();
  });

  test("keeps the typed name when saving fails", async () => {
    const { page, close } = await open("/runs?status=cancelled");
    await page.route("**/api/v1/preferences", (route) => route.abort());
    const dialog = await save(page, "Unsent");
    await page
      .getByText(/The service can't be reached/)
      .first()
      .waitFor({ timeout: 20_000 });
    expect(await dialog.getByRole("textbox").inputValue()).toBe("Unsent");
    await page.unroute("**/api/v1/preferences");
    await dialog.getByRole("button", { name: "Save", exact: false }).last().click();
    await dialog.waitFor({ state: "detached" });
    expect(await names()).toContain("Unsent");
    await close();
  });
});

describe.skipIf(!hasBrowser)("A page of the console", () => {
  test("opens with names of inherited properties in the address", async () => {
    const { page, go, close } = await open("/audit?action=toString");
    await page.getByRole("table").waitFor({ state: "detached" });
    for (const path of ["/audit?action=__proto__", "/runs?toolName=constructor"]) {
      await go(path);
      expect(await page.getByText("This page failed to load").count()).toBe(0);
    }
    await close();
  });

  test("shows no partial list of access, and names that reorder no text", async () => {
    const name = "\u202Ekey";
    await server.createKey({ name, scopes: ["mcp:read"] });
    const { page, go, close } = await open("/access");
    await page.getByRole("button", { name: "Revoke \\u{202e}key" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke \\u{202e}key?" });
    await dialog.waitFor();
    await page.route("**/api/v1/connected-apps*", (route) =>
      route.fulfill({ status: 403, json: { code: "forbidden", detail: "Not allowed." } }),
    );
    await go("/access");
    await page.getByText("Not allowed.").waitFor();
    expect(await page.getByRole("table").count()).toBe(0);
    await close();
  });
});
