import { afterAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility } from "./src/console.ts";
import { startFakeRegistry } from "./src/fake-registry.ts";
import type { FakeRegistry } from "./src/fake-registry.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";

let server: Server;
let registry: FakeRegistry | undefined;
afterAll(() => registry?.close());

const { open } = setUpConsole(async () => {
  registry = await startFakeRegistry();
  for (const name of ["@acme/shout", "second", "third", "fourth"]) {
    const files = {
      "index.js": "exports.shout = (text) => text.toUpperCase();",
      "index.d.ts": "export declare function shout(text: string): string;",
    };
    registry.add(name, { main: "index.js", types: "index.d.ts" }, files);
  }
  server = await startServer({ npm_config_registry: `${registry.url}/` });
  return server;
});

const definition = {
  title: "Shouter",
  description: "Shouts.",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string", description: "Whom to shout at." } },
    required: ["name"],
  },
  outputSchema: { properties: [{ name: "greeting", type: "string", description: "" }] },
};

async function makeDraft(code: string): Promise<string> {
  const source = { language: "typescript", code };
  const body = { definition: { ...definition, source } };
  return String(expectStatus(201, await server.callAsOwner("POST", "/drafts", body)).body.id);
}

const dependenciesOf = async (id: string) =>
  expectStatus(200, await server.callAsOwner("GET", `/drafts/${id}`)).body.definition.source
    .dependencies;

describe.skipIf(!hasBrowser)("packages of a draft in the console", () => {
  test("adds the newest version of packages that the code imports, and shows why it can't", async () => {
    const id = await makeDraft(`import { shout } from "@acme/shout";
import { shout as louder } from "second/index.js";
import missing from "missing-one";
import { exec } from "child_process";
export default async (input: Input): Promise<Output> => {
  const length: number = shout(input.name);
  const unused = "text";
  return { greeting: louder(input.name) + length + missing + exec };
};
`);
    const { page, close } = await open(`/drafts/${id}`);
    const problems = page.getByRole("region", { name: "Problems" });
    await problems.getByText("4 problems", { exact: true }).waitFor();
    await problems
      .getByText("The sandbox doesn't have the Node.js module child_process.")
      .waitFor();
    await problems.getByRole("button", { name: "Add package missing-one" }).click();
    const alert = problems.getByRole("alert");
    await alert.getByText('The package registry has no package "missing-one"').waitFor();
    await page.locator(".cm-unnecessary").first().waitFor();
    await checkAccessibility(page);

    await problems.getByRole("button", { name: "Add package @acme/shout" }).click();
    await page.getByText("Added @acme/shout 1.0.0 to the packages").waitFor();
    // Its types were loaded.
    await problems.getByText("Type 'string' is not assignable to type 'number'.").waitFor();

    await problems.getByRole("button", { name: /^Line 2:/ }).click();
    await page.keyboard.press("ControlOrMeta+.");
    await page.getByRole("option", { name: "Add package second" }).click();
    await page.getByText("Added second 1.0.0 to the packages").waitFor();
    await problems.getByText("3 problems", { exact: true }).waitFor();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await dependenciesOf(id)).toEqual({ "@acme/shout": "1.0.0", second: "1.0.0" });
    await close();
  });

  test("adds the newest version of packages that are typed without one, and shows why it can't", async () => {
    const id = await makeDraft("export default async () => ({ greeting: '' });");
    const { page, close } = await open(`/drafts/${id}?tab=access`);
    const field = page.getByRole("textbox", { name: "npm packages" });
    await field.fill("third\nfourth\nsecond@1.0.0\nmissing-one");
    await page.getByRole("button", { name: "Add newest version of third" }).click();
    await page.getByText("Added third 1.0.0 to the packages").waitFor();
    expect(await field.inputValue()).toBe("third@1.0.0\nfourth\nsecond@1.0.0\nmissing-one");
    await page.getByRole("button", { name: "Add newest version of missing-one" }).click();
    await page.getByText('The package registry has no package "missing-one"').waitFor();
    await checkAccessibility(page);
    registry?.close();
    await page.getByRole("button", { name: "Add newest version of fourth" }).click();
    await page
      .getByText('The registry did not return the metadata of the package "fourth".')
      .waitFor();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await dependenciesOf(id)).toEqual({ third: "1.0.0", second: "1.0.0" });
    await close();
  });
});
