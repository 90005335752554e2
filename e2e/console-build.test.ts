import type { Page } from "playwright-core";
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

const greet = (words: string) => `export default async (input: Input): Promise<Output> => {
  const name: string = input.name;
  return { greeting: ${JSON.stringify(words)} + name };
};
`;
const definition = {
  title: "Greeter",
  description: "Greets someone.",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string", description: "Whom to greet." } },
    required: ["name"],
    additionalProperties: false,
  },
  outputSchema: { properties: [{ name: "greeting", type: "string", description: "" }] },
  source: { language: "typescript", code: greet("Hello, ") },
};

async function makeDraft(change: object = {}, toolName?: string): Promise<string> {
  const body = { toolName, definition: { ...definition, ...change } };
  return String(expectStatus(201, await server.callAsOwner("POST", "/drafts", body)).body.id);
}

const stored = async (id: string) =>
  expectStatus(200, await server.callAsOwner("GET", `/drafts/${id}`)).body;

/** Replaces the content of an editor by pasting. */
async function write(page: Page, text: string, editor: RegExp = /^Code/): Promise<void> {
  await page.getByRole("textbox", { name: editor }).focus();
  await page.keyboard.press("ControlOrMeta+a");
  // The text is pasted because the editor closes brackets automatically when they are typed.
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press("ControlOrMeta+v");
}

const problems = (page: Page) => page.getByRole("region", { name: "Problems" });
const isSaved = (page: Page) => page.getByText("Saved", { exact: true }).waitFor();
const runPane = (page: Page) => page.getByRole("region", { name: "Run", exact: true });

describe.skipIf(!hasBrowser)("the draft page of the console", () => {
  test("builds a working tool from an empty draft, and reports every kind of mistake", async () => {
    const { page, close } = await open("/drafts");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Use template Blank tool" }).dblclick();
    await page.getByRole("textbox", { name: "Tool title" }).fill("Shout");
    expect((await server.callAsOwner("GET", "/drafts")).body).toHaveLength(1);
    await write(
      page,
      "export default async (input: Input) => {\n  const count: number = input.name;\n  return { greeting: count };\n};\n",
    );
    await problems(page).getByText("Type 'string' is not assignable to type 'number'.").waitFor();
    await problems(page)
      .getByRole("button", { name: /^Line 2:/ })
      .waitFor();
    await checkAccessibility(page);

    await write(page, "export default async (input: Input) => {\n  return {;\n};\n");
    const name = runPane(page).getByLabel("name", { exact: false });
    await name.fill("ada");
    await page.getByRole("button", { name: "Run", exact: true }).first().click();
    await runPane(page).getByText("Not started", { exact: true }).waitFor();
    await problems(page)
      .getByRole("button", { name: /^Line 2:.*";"/ })
      .first()
      .waitFor();

    await write(
      page,
      'export default async (input: Input) => {\n  console.log("working");\n  await new Promise((go) => setTimeout(go, 2_000));\n  throw new Error("no luck");\n};\n',
    );
    await page.keyboard.press("ControlOrMeta+Enter");
    await runPane(page).getByText("working").waitFor();
    // The run stays visible while the form changes.
    await page.getByRole("textbox", { name: "Tool title" }).fill("Shout it");
    await problems(page).getByRole("button", { name: "Line 4: no luck" }).waitFor();

    await write(
      page,
      'export default async (input: Input): Promise<Output> => {\n  console.log("louder");\n  return { greeting: input.name.toUpperCase() };\n};\n',
    );
    await page.keyboard.press("ControlOrMeta+Enter");
    await runPane(page).getByText("ADA").waitFor();
    await runPane(page).getByLabel("Log", { exact: true }).filter({ hasText: "louder" }).waitFor();
    await problems(page).getByText("No problems").waitFor();
    await runPane(page).getByRole("button", { name: "Save as example" }).click();
    await runPane(page).getByRole("button", { name: "Example 2" }).waitFor();

    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog");
    // The new code returns another output for the template's example.
    await dialog.getByText("The description is still the template's.").waitFor();
    await dialog.getByRole("button", { name: "Run examples" }).click();
    await dialog.getByText("1 passed, 1 failed", { exact: true }).first().waitFor();
    await dialog.getByText("1 example failed.").waitFor();
    await checkAccessibility(page);
    await dialog.getByRole("button", { name: "Open examples" }).click();
    const accept = page.getByRole("button", { name: "Use the new output for example 1" });
    await accept.click();
    await page.getByRole("button", { name: "Run examples" }).click();
    await page.getByText("2 passed, 0 failed", { exact: true }).first().waitFor();
    await checkAccessibility(page);
    await page.getByRole("textbox", { name: "Tool title" }).fill("");
    await page.getByRole("button", { name: "Publish" }).click();
    await dialog.getByRole("button", { name: "Publish anyway" }).click();
    await dialog.getByText("It must not be empty.").waitFor();
    await dialog.getByRole("button", { name: "Title" }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Shout");
    await page.getByRole("textbox", { name: "Description" }).fill("Says it loudly.");
    await page.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText("The examples were not run since the last change.").waitFor();
    await dialog.getByRole("button", { name: "Continue editing" }).click();
    // A run of the form with the input of an example counts as a run of it.
    await runPane(page).getByRole("button", { name: "Example 2" }).click();
    const isRecorded = page.waitForResponse(
      (response) =>
        response.request().method() === "PUT" && response.url().endsWith("/example-results"),
    );
    await page.getByRole("button", { name: "Run", exact: true }).first().click();
    expect((await isRecorded).status()).toBe(200);
    await page.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText("Some examples were not run since the last change.").waitFor();
    await dialog.getByRole("button", { name: "Run examples" }).click();
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.waitForURL(/\/tools\/shout_[a-z0-9]{4}/);
    const tool = page.url().match(/shout_[a-z0-9]{4}/)?.[0] ?? "";
    const { body } = await server.run(tool, { name: "bo" });
    expect(body).toMatchObject({ status: "completed", output: { greeting: "BO" } });
    await close();
  });

  test("scrolls the panels of the editor but not the document", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `field${at}`);
    const id = await makeDraft({
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      },
      examples: names.map((name) => ({ name, input: {} })),
    });
    const { page, close } = await open(`/drafts/${id}`);
    for (const tab of ["Input", "Examples"]) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await page.getByRole("tabpanel", { name: tab }).getByLabel("Name").last().waitFor();
      const { scrollHeight, clientHeight } = await page.evaluate<Record<string, number>>(
        "(({ scrollHeight, clientHeight }) => ({ scrollHeight, clientHeight }))(document.documentElement)",
      );
      expect(scrollHeight).toBe(clientHeight);
    }
    await close();
  });

  test("completes, explains, fixes, renames, formats and finds code", async () => {
    const code = `/** Joins words. */
function join(first: string, second: string): string {
  return first + second;
}
export default async (input: Input): Promise<Output> => {
  return { greeting: joinn("Hello, ", input.name) };
};
`;
    const id = await makeDraft({ source: { language: "typescript", code } });
    const { page, close } = await open(`/drafts/${id}`);
    const editor = page.getByRole("textbox", { name: /^Code/ });
    const shows = (text: string) => editor.getByText(text).first().waitFor();
    await problems(page)
      .getByRole("button", { name: /^Line 6: Cannot find name 'joinn'/ })
      .click();
    await page.keyboard.press("ControlOrMeta+.");
    await page.getByRole("option", { name: "Change spelling to 'join'" }).waitFor();
    await checkAccessibility(page);
    await page.keyboard.press("Enter");
    await problems(page).getByText("No problems").waitFor();

    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.press("ControlOrMeta+i");
    const hovered = "function join(first: string, second: string): string";
    await page.getByText(hovered, { exact: true }).waitFor();
    await page.keyboard.press("Escape");

    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New name" }).fill("connect");
    await page.keyboard.press("Enter");
    await shows("function connect(first");
    await shows('greeting: connect("Hello, "');

    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("const   longest = Math.ma");
    await page.getByRole("option", { name: "max" }).waitFor();
    await page.getByText("Returns the larger of a set").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("(1,");
    await page.getByText("max(...values: number[]): number").waitFor();
    await page.keyboard.type(" 2);");
    await page.keyboard.press("Shift+Alt+f");
    await shows("const longest = Math.max(1, 2);");

    await page.keyboard.press("ControlOrMeta+f");
    await page.getByRole("textbox", { name: "Find" }).fill("longest");
    await page.getByRole("textbox", { name: "Replace" }).fill("largest");
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Replace all" }).click();
    await shows("const largest = Math.max(1, 2);");

    // The undo history stays while another tab is shown.
    await page.getByRole("tab", { name: "Input" }).click();
    await page.getByRole("tab", { name: "Code" }).click();
    await shows("const largest = Math.max(1, 2);");
    await editor.focus();
    await page.keyboard.press("ControlOrMeta+z");
    await shows("const longest = Math.max(1, 2);");
    await close();
  });

  test("restores unsaved changes after the service was unreachable and the page was closed", async () => {
    const id = await makeDraft();
    const { page, go, close } = await open(`/drafts/${id}`);
    await problems(page).getByText("No problems").waitFor();
    await page.route("**/api/v1/drafts/**", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    await write(page, greet("Not lost, "));
    await page.getByText("Saving…").waitFor();
    expect((await stored(id)).revision).toBe(1);
    await page.goto("about:blank");
    await page.unroute("**/api/v1/drafts/**");
    await go(`/drafts/${id}`);
    await page.getByText("Not lost,").waitFor();
    await isSaved(page);
    expect((await stored(id)).definition.source.code).toContain("Not lost, ");
    await close();
  });

  test("syncs changes between tabs, and asks which version to use when both have changes", async () => {
    const id = await makeDraft();
    const { page: one, close } = await open(`/drafts/${id}`);
    const other = await one.context().newPage();
    await other.goto(one.url());
    await problems(one).getByText("No problems").waitFor();
    await problems(other).getByText("No problems").waitFor();
    await write(one, greet("From one, "));
    await other.getByText("From one,").waitFor();
    await isSaved(other);
    expect((await stored(id)).revision).toBe(2);

    // Another computer saves the draft, which notifies no tab of this browser.
    const theirs = { ...definition, source: { language: "typescript", code: greet("Theirs, ") } };
    const put = { revision: 2, definition: theirs };
    expectStatus(200, await server.callAsOwner("PUT", `/drafts/${id}`, put));
    await write(one, greet("Mine, "));
    const dialog = one.getByRole("dialog", { name: "This draft was changed elsewhere" });
    await dialog.getByText('greeting: "Theirs, " + name').waitFor();
    await checkAccessibility(one);
    expect((await stored(id)).definition.source.code).toContain("Theirs, ");
    await dialog.getByRole("button", { name: "Use my version" }).click();
    await isSaved(one);
    expect(await stored(id)).toMatchObject({ revision: 4 });
    expect((await stored(id)).definition.source.code).toContain("Mine, ");
    await other.getByText("Mine,").waitFor();

    // After one tab discards the draft, the other can still continue with its content.
    await one.getByRole("button", { name: "More actions" }).click();
    await one.getByRole("menuitem", { name: "Discard draft" }).click();
    await one.getByRole("button", { name: "Discard draft" }).click();
    await one.waitForURL(/\/drafts$/);
    await other.getByText("This draft was published or discarded elsewhere.").waitFor();
    await other.getByRole("textbox", { name: "Tool title" }).fill("Mine alone");
    await other.reload();
    await other.getByText("You have unsaved changes from this draft").waitFor();
    await other.getByRole("button", { name: "Copy to new draft" }).click();
    await other.waitForURL((url) => /\/drafts\/./.test(url.pathname) && !url.href.includes(id));
    await isSaved(other);
    await other.getByRole("heading", { name: "Mine alone" }).first().waitFor();
    await close();
  });

  test("syncs the fields and the JSON of a schema, and preserves invalid JSON", async () => {
    const id = await makeDraft();
    const { page, close } = await open(`/drafts/${id}?tab=input`);
    await page.getByRole("button", { name: "Add field" }).click();
    // The new field's name is selected, so typing replaces it.
    await page.keyboard.type("times");
    const field = page.getByRole("group", { name: "Field times", exact: true });
    await field.getByRole("textbox", { name: "Description" }).fill("How often.");
    await field.getByLabel("Type").selectOption("Integer");
    await runPane(page)
      .getByLabel(/^Times/)
      .waitFor();
    await page.getByRole("button", { name: "Move name down" }).click();
    await checkAccessibility(page);
    await page.getByRole("radio", { name: "JSON" }).click();
    const json = page.getByRole("textbox", { name: "Input schema as JSON" });
    await json.waitFor();
    await page.getByText('"How often."').waitFor();
    await write(page, '{ "type": "object", "properties": {', /Input schema as JSON/);
    await page.getByText("This isn't a JSON object.").waitFor();
    await isSaved(page);
    await runPane(page).getByLabel(/^Name/).fill("Ada");
    await page.reload();
    await page.getByText("This isn't a JSON object.").waitFor();
    expect(await runPane(page).getByLabel(/^Name/).inputValue()).toBe("Ada");
    const { properties } = (await stored(id)).definition.inputSchema;
    expect(properties.times).toEqual({ type: "integer", description: "How often." });
    expect(Object.keys(properties)).toEqual(["times", "name"]);
    const saved = { type: "object", properties: { odd: { oneOf: [{ type: "string" }] } } };
    await write(page, JSON.stringify(saved), /Input schema as JSON/);
    await isSaved(page);
    await page.getByRole("radio", { name: "Fields" }).click();
    await page.getByRole("group", { name: "Field odd" }).getByText("Required").click();
    await isSaved(page);
    expect((await stored(id)).definition.inputSchema).toEqual({ ...saved, required: ["odd"] });
    await close();
  });

  test("infers the schemas from the types in the code, and lists what the types do not specify", async () => {
    const code = `type Unit = "c" | "f";
type Place = {
  /** Where to look. */
  city: string;
  /** How many days. @integer @minimum 1 */
  days?: number;
  unit: Unit | null;
  near: Place[];
  since: Date;
};
export default async ({ city }: Place) => ({ summary: city, degrees: [1.5] });
`;
    const source = { language: "typescript", code };
    const id = await makeDraft({ source, inputSchema: { type: "object" } });
    const { page, close } = await open(`/drafts/${id}?tab=input`);
    await page.getByRole("button", { name: "Infer from code" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("JSON can't represent Date.", { exact: false }).waitFor();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await isSaved(page);
    await page.getByRole("tab", { name: "Output" }).click();
    await page.getByRole("button", { name: "Infer from code" }).click();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await isSaved(page);
    const { inputSchema, outputSchema } = (await stored(id)).definition;
    expect(inputSchema.$defs.Place).toMatchObject({
      required: ["city", "unit", "near", "since"],
      additionalProperties: false,
      properties: {
        city: { type: "string", description: "Where to look." },
        unit: { type: ["string", "null"], enum: ["c", "f", null] },
        near: { type: "array", items: { $ref: "#/$defs/Place" } },
      },
    });
    expect(outputSchema.properties).toMatchObject([
      { name: "summary", type: "string" },
      { name: "degrees", type: "array", items: { type: "number" } },
    ]);
    await close();
  });

  test("loads the types of npm packages, and names packages without types", async ({ skip }) => {
    const code = `import dayjs from "dayjs";
import ms from "ms";
export default async (input: Input): Promise<Output> => {
  const year: string = dayjs(input.name).year();
  return { greeting: year + ms("1 day") };
};
`;
    const dependencies = { dayjs: "1.11.13", ms: "2.1.3" };
    const id = await makeDraft({ source: { language: "typescript", code, dependencies } });
    const known = await server.callAsOwner("GET", `/drafts/${id}/package-types`);
    skip(known.status === 503, "The npm registry cannot be reached from here");
    const { page, close } = await open(`/drafts/${id}`);
    await problems(page).getByText("Type 'number' is not assignable to type 'string'.").waitFor();
    await problems(page).getByText("1 problem", { exact: true }).waitFor();
    await page.getByText("ms: no type declarations, treated as any.").waitFor();
    await close();
  });

  test("adds what the code reads to the input, from a problem and from all uses", async () => {
    const code = `export default async (input: Input): Promise<Output> => {
  const text = input.orderId.toUpperCase();
  const { total } = input;
  return { greeting: text + total * 2 + input.name };
};
`;
    const id = await makeDraft({ source: { language: "typescript", code } });
    const { page, close } = await open(`/drafts/${id}`);
    await problems(page).getByText("2 problems", { exact: true }).waitFor();
    await checkAccessibility(page);
    await problems(page).getByRole("button", { name: "Add orderId to the input" }).click();
    await page.getByText("Added orderId to the input").waitFor();
    await problems(page).getByText("1 problem", { exact: true }).waitFor();
    await isSaved(page);
    expect((await stored(id)).definition.inputSchema.properties.orderId).toEqual({
      type: "string",
    });
    await page.getByRole("tab", { name: "Input" }).click();
    await page.getByRole("button", { name: "Infer from code" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("/properties/total").first().waitFor();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await isSaved(page);
    const { inputSchema } = (await stored(id)).definition;
    expect(inputSchema.properties).toMatchObject({
      name: { description: "Whom to greet." },
      total: { type: "number" },
    });
    expect(inputSchema.required).toEqual(["name", "orderId", "total"]);
    await close();
  });

  test("saves a past run as an example without its secrets, and names the draft of a run", async () => {
    const inputSchema = {
      type: "object",
      properties: { name: { type: "string" }, key: { type: "string", writeOnly: true } },
    };
    const tool = await server.makeTool(greet("Hi, "), { ...definition, inputSchema } as never);
    const { body: run } = await server.run(tool, { name: "Ada", key: "s3cret-value" });
    const { page, go, close } = await open(`/runs/${run.runId}`);
    await page.getByRole("button", { name: "Save as example" }).click();
    await page.waitForURL(/\/drafts\/.*tab=examples/);
    await page.getByText("without the secrets at /key").waitFor();
    const draftId = /drafts\/([\w-]+)/.exec(page.url())?.[1] ?? "";
    const { examples } = (await stored(draftId)).definition;
    expect(examples).toEqual([{ input: { name: "Ada" }, output: { greeting: "Hello, Ada" } }]);
    await page.getByLabel("Passes if").selectOption("A value matches a regular expression");
    await page.getByRole("textbox", { name: "Regular expression" }).fill("[");
    await page.getByText("[ is not a valid regular expression.").waitFor();
    await page.getByLabel("Passes if").selectOption("The run fails with an error code");
    await page.getByLabel("Error code").selectOption("timeout");
    await page.getByLabel("Error code").selectOption("tool_error");
    await isSaved(page);
    await page.getByRole("button", { name: "Run examples" }).click();
    await page.getByText("Expected the run to fail with tool_error").waitFor();
    await page.getByText("0 passed, 1 failed", { exact: true }).first().waitFor();
    await checkAccessibility(page);
    const ofDraft = await server.callAsOwner("GET", "/runs?draft=true&limit=1");
    await go(`/runs/${ofDraft.body[0].runId}`);
    await page.getByRole("heading", { name: "Run of Greeter (draft)" }).waitFor();
    await close();
  });

  test("blames the definition, and not each example, if no example can run", async () => {
    const examples = [
      { input: { name: "Bo" }, output: { greeting: "Hello, Bo" } },
      { input: { name: 5 } },
    ];
    const id = await makeDraft({ examples });
    const { page, close } = await open(`/drafts/${id}?tab=examples`);
    await page.getByRole("button", { name: "Run examples" }).click();
    const problem = page.getByRole("alert").filter({ hasText: "The tool has errors" });
    await problem.getByRole("button", { name: "Example 2, input" }).waitFor();
    expect(await page.getByText("failed", { exact: false }).count()).toBe(0);
    const { body: results } = await server.callAsOwner("GET", `/drafts/${id}/example-results`);
    expect(results).toEqual([]);
    const second = page.getByRole("group", { name: "Example 2" });
    await second.getByLabel("Input").fill('{ "name": "Eve" }');
    await isSaved(page);
    await page.getByRole("button", { name: "Run examples" }).click();
    await page.getByText("2 passed, 0 failed", { exact: true }).first().waitFor();
    expect(await problem.count()).toBe(0);
    await close();
  });

  test("shows before publishing what the examples and the last runs return now", async () => {
    const examples = [{ input: { name: "Bo" }, output: { greeting: "Hello, Bo" } }];
    const tool = await server.makeTool(greet("Hello, "), { ...definition, examples } as never);
    await server.run(tool, { name: "Ada" });
    const source = { language: "typescript", code: greet("Good day, ") };
    const id = await makeDraft({ source, examples }, tool);
    const { page, close } = await open(`/drafts/${id}`);
    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Version 1, live").waitFor();
    await dialog.getByRole("button", { name: "Start replay" }).click();
    await dialog.getByText("1 of 1 changed.").waitFor();
    await dialog.getByRole("button", { name: "Run examples" }).click();
    await dialog.getByText("0 passed, 1 failed", { exact: true }).first().waitFor();
    await dialog.getByText('"Good day, Bo"').waitFor();
    await dialog.getByText('"Hello, Ada"').waitFor();
    await dialog.getByText('"Good day, Ada"').waitFor();
    // Another user publishes while this dialog is open.
    const patch = { description: "Greets someone warmly." };
    expectStatus(200, await server.call("PATCH", `/tools/${tool}`, patch));
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText(/Version 2 was published after you started this draft/).waitFor();
    await dialog.getByText("Greets someone warmly.").waitFor();
    await dialog.getByRole("button", { name: "Publish anyway" }).click();
    await page.waitForURL(new RegExp(`/tools/${tool}`));
    const { body } = await server.call("GET", `/tools/${tool}`);
    expect(body).toMatchObject({ version: 3, description: "Greets someone." });
    await close();
  });

  test("warns before publishing, also after a reload, and adds a credential for the workspace", async () => {
    const key = { name: "GREET_KEY", hosts: ["api.example.com"] };
    const saved = { ...key, value: "greet-key-value-1" };
    expectStatus(201, await server.callAsOwner("POST", "/credentials", saved));
    const id = await makeDraft({
      inputSchema: { type: "object", properties: { name: { type: "string" } } },
      allowedHosts: key.hosts,
      credentials: [{ ...key, description: "A key." }],
      examples: Array.from({ length: 8 }, () => ({
        input: { name: "Bo" },
        output: { greeting: "Bye" },
      })),
    });
    const { page, go, close } = await open(`/drafts/${id}?tab=examples`);
    await page.getByRole("button", { name: "Run examples" }).click();
    await page.getByText("0 passed, 8 failed", { exact: true }).first().waitFor();
    await page.getByText("Earlier results").waitFor();
    await go(`/drafts/${id}?tab=examples`);
    const reason = "The output differs at /greeting.";
    await page.getByText(reason).first().waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("8 examples failed.").waitFor();
    await dialog.getByText(/^Inputs without a description: name\./).waitFor();
    await dialog.getByText(/^GREET_KEY is your personal credential\./).waitFor();
    expect(await dialog.getByText(reason).first().isVisible()).toBe(false);
    const button = await dialog.getByRole("button", { name: "Publish anyway" }).boundingBox();
    const height = await page.evaluate<number>("innerHeight");
    expect((button?.y ?? height) + (button?.height ?? 0)).toBeLessThanOrEqual(height);
    await checkAccessibility(page);
    await dialog.getByText("Example 8").click();
    await dialog.getByText(reason).last().waitFor();
    await dialog.getByRole("button", { name: "Open access" }).click();
    await page.getByRole("button", { name: "Add for this workspace" }).click();
    await dialog.getByRole("textbox", { name: "Value" }).fill("greet-key-value-2");
    await dialog.getByRole("button", { name: "Save credential" }).click();
    await page.getByText("Workspace", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText("8 examples failed.").waitFor();
    expect(await dialog.getByText(/^GREET_KEY is your personal/).count()).toBe(0);
    await close();
  });

  test("works with the keyboard only and in a narrow window", async () => {
    const id = await makeDraft();
    const { page, close } = await open(`/drafts/${id}`, { viewport: { width: 320, height: 720 } });
    await problems(page).getByText("No problems").waitFor();
    await checkWidth(page);
    const editor = page.getByRole("textbox", { name: /^Code/ });
    await editor.focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await editor.evaluate((one) => one.matches(":focus"))).toBe(false);
    for (const tab of ["Input", "Output", "Access", "Details", "Examples", "Run"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tabpanel", { name: tab }).waitFor();
      await checkWidth(page);
    }
    await checkAccessibility(page);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Discard draft" }).click();
    await page.getByRole("button", { name: "Discard draft" }).click();
    await page.waitForURL(/\/drafts$/);
    expect((await server.callAsOwner("GET", `/drafts/${id}`)).status).toBe(404);
    await close();
  });
});
