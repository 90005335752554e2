import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./src/browser.ts";
import { checkAccessibility, checkWidth } from "./src/console.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { setUpConsole } from "./src/set-up-console.ts";
import { until } from "./src/until.ts";

const markup = `<img src="https://evil.example/x.png" onerror="document.title='run'"><script>document.title="run"</script>`;

/** A document whose every text is hostile, with schemas and names that are hard to render. */
const hostileDocument = {
  paths: {
    [`//evil.example/${markup}`]: {
      post: {
        operationId: "__proto__",
        tags: [markup],
        summary: markup,
        description: `${markup} [link](javascript:alert(1)) \`${markup}\``,
        parameters: [
          { name: markup, in: "query", required: true, description: markup, schema: {} },
          { name: "choice", in: "query", schema: { enum: [markup] } },
        ],
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Loop" } } },
        },
        responses: {
          200: { description: markup, headers: { [markup]: { description: markup } } },
          400: { description: `\`invalid_request\`: ${markup}.` },
        },
      },
    },
  },
  components: {
    schemas: {
      Loop: {
        type: "object",
        description: markup,
        properties: {
          [markup]: { type: markup, format: markup, default: markup, description: markup },
          constructor: { $ref: "#/components/schemas/Loop" },
        },
        required: [markup],
      },
    },
  },
};

describe.skipIf(!hasBrowser)("the API reference", () => {
  let server: Server;

  const { open: openPage } = setUpConsole(async () => {
    server = await startServer();
    return server;
  });

  /** Opens a page that fails its test on a request to another host. */
  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const opened = await openPage("/api-keys", options);
    const requests: string[] = [];
    opened.page.on("request", (request) => {
      if (!request.url().startsWith("blob:")) requests.push(request.url());
    });
    const close = async () => {
      await opened.close();
      expect(requests.filter((url) => new URL(url).origin !== server.baseUrl)).toEqual([]);
    };
    await opened.go(path);
    return { ...opened, requests, close };
  };

  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 2, name });

  test("finds an operation, links to it, and shows what it takes and returns", async () => {
    const { page, close } = await open("/reference");
    await page.getByRole("searchbox", { name: "Search operations" }).fill("cancel batch");
    await page.getByText("1 operation", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Cancel a batch of runs" }).click();
    await heading(page, "Cancel a batch of runs").waitFor();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Copied").waitFor();
    const link = await page.evaluate("navigator.clipboard.readText()");
    expect(link).toMatch(/\/reference\?operation=\w+$/);

    await page.goto(`${server.baseUrl}/reference?operation=listTools`);
    await heading(page, "List tools").waitFor();
    const selected = page.locator("[aria-current=page]", { hasText: "List tools" });
    expect(await selected.isVisible()).toBe(true);
    const answer = page.getByRole("region", { name: "Response 200" });
    await answer.getByText("array of Tool", { exact: true }).waitFor();
    await answer.getByRole("button", { name: "Fields of PublishedFrom" }).click();
    await answer.getByText("commit", { exact: true }).waitFor();
    await page.getByRole("cell", { name: "insufficient_scope" }).waitFor();

    await page.goto(`${server.baseUrl}/reference?operation=constructor`);
    await page.getByText("This version of the service has no such operation.").waitFor();
    await close();
  });

  test("shows examples that work as pasted", async () => {
    const { page, close } = await open("/reference?operation=listTools");
    const code = (label: string) => page.locator(`pre[aria-label="${label}"]`).innerText();
    const run = promisify(execFile);
    const env = { ...process.env, TOOLHOST_API_KEY: server.apiKey };
    const expected = (await server.call("GET", "/tools")).body.length;
    const { stdout } = await run("sh", ["-c", await code("curl")], { env });
    expect(JSON.parse(stdout)).toHaveLength(expected);
    await page.getByRole("tab", { name: "TypeScript" }).click();
    const script = `${await code("TypeScript")}\n`.replace(
      "console.log(await response.json())",
      "console.log((await response.json()).length)",
    );
    const node = await run(process.execPath, ["--input-type=module-typescript", "-e", script], {
      env,
    });
    expect(node.stdout.trim()).toBe(String(expected));
    await page.getByRole("tab", { name: "Python" }).click();
    expect(await code("Python")).toContain("requests.get(");
    // The next operation is shown in the language that was selected last.
    await page.getByRole("link", { name: "Create a tool" }).click();
    expect(await code("Python")).toContain("requests.post(");
    await close();
  });

  test("sends requests with the session, or with an API key that it does not store", async () => {
    const name = await server.makeTool("export default ({ text }) => ({ text });", {
      inputSchema: { type: "object", properties: { text: { type: "string" } } },
    });
    const { page, close } = await open("/reference?operation=runTool&tab=try");
    const body = page.locator('pre[aria-label="Response body"]');
    const send = () => page.getByRole("button", { name: "Send request" }).click();
    await send();
    expect(await body.count()).toBe(0);
    await page.getByLabel("toolName").fill(name);
    await page.getByLabel("Request body (JSON)").fill(JSON.stringify({ text: markup }));
    const sent = page.waitForRequest(/\/api\/v1\/run\//);
    await send();
    const bySession = await (await sent).allHeaders();
    expect(bySession["idempotency-key"]).toMatch(/^[\da-f-]{36}$/);
    expect(bySession).toMatchObject({ "x-workspace-id": server.workspaceId });
    await page
      .getByText(/^Status 200 in/)
      .first()
      .waitFor();
    expect(await body.innerText()).toContain(`"text": ${JSON.stringify(markup)}`);
    expect(await page.locator("pre img, pre script").count()).toBe(0);

    const { key } = await server.createKey({ name: "read", scopes: ["mcp:read"] });
    await page.getByLabel("API key", { exact: true }).fill(key);
    const second = page.waitForRequest(/\/api\/v1\/run\//);
    await send();
    const byKey = await (await second).allHeaders();
    expect([byKey["authorization"], byKey["cookie"]]).toEqual([`Bearer ${key}`, undefined]);
    await page
      .getByText(/^Status 403 in/)
      .first()
      .waitFor();
    expect(await body.innerText()).toContain("insufficient_scope");
    const stored = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])",
    );
    expect(stored).not.toContain(key);
    expect(page.url()).not.toContain(key);
    await close();
  });

  test("shows a stream as it arrives, and cancels it", async () => {
    const name = await server.makeTool(
      `export default async () => { console.log("started"); await new Promise((done) => setTimeout(done, 60_000)); };`,
    );
    const { body: started } = await server.call(
      "POST",
      `/run/${name}`,
      {},
      {
        prefer: "respond-async",
      },
    );
    const { page, close } = await open("/reference?operation=getRunLog&tab=try");
    await page.getByLabel("runId").fill(started.runId);
    await page.getByLabel("Response media type").selectOption("text/event-stream");
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("event: log").waitFor();
    await page.getByRole("button", { name: "Cancel request" }).click();
    await page.getByText("Request cancelled.").waitFor();
    await server.call("POST", `/runs/${started.runId}/cancel`, {});
    await close();
  });

  test("uploads a file", async () => {
    const { page, close } = await open("/reference?operation=uploadFile&tab=try");
    await page.getByLabel("Media type", { exact: true }).selectOption("multipart/form-data");
    const bytes = Buffer.from("hello");
    await page
      .getByLabel("File", { exact: true })
      .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: bytes });
    await page.getByRole("button", { name: "Send request" }).click();
    await page
      .getByText(/^Status 201 in/)
      .first()
      .waitFor();
    await close();
  });

  test("renders a hostile document as text, and sends nothing to other hosts", async () => {
    const { page, go, close } = await open("/api-keys");
    await page.route("**/api/v1/openapi.json", (route) => route.fulfill({ json: hostileDocument }));
    await go("/reference?q=evil&operation=__proto__");
    await heading(page, markup).waitFor();
    await page.getByRole("button", { name: "Fields of Loop" }).click();
    await page.getByRole("tab", { name: "TypeScript" }).click();
    await page.getByRole("tab", { name: "Try it" }).click();
    await page.getByRole("textbox", { name: markup }).fill("1");
    const sent = page.waitForRequest(/evil/);
    await page.getByRole("button", { name: "Send request" }).click();
    expect(new URL((await sent).url()).origin).toBe(server.baseUrl);
    expect(await page.locator("main img, main script, main a[href^='javascript']").count()).toBe(0);
    expect(await page.title()).toBe("API reference – Toolhost");
    await close();
  });

  const paths = [
    "/reference",
    "/reference?q=run",
    "/reference?operation=createAlert",
    "/reference?operation=runTool&tab=try",
  ];

  test.each(paths)(
    "passes axe in both themes, and fits 390 and 320 pixels, on %s",
    async (path) => {
      const { page, close } = await open(path, { reducedMotion: "reduce" });
      await page.getByRole("searchbox", { name: "Search operations" }).waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await until("the page has no transition", 30_000, () =>
          page.evaluate("document.getAnimations().length === 0"),
        );
        await checkAccessibility(page);
      }
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await checkWidth(page);
      }
      await close();
    },
  );

  test("finds and opens an operation by keyboard", async () => {
    const { page, close } = await open("/reference");
    const search = page.getByRole("searchbox", { name: "Search operations" });
    await search.waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("verify audit");
    expect(await search.inputValue()).toBe("verify audit");
    await page.getByRole("link", { name: /Verify/ }).waitFor();
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate("document.activeElement?.tagName")) === "A") break;
    }
    await page.keyboard.press("Enter");
    await heading(page, "Verify").waitFor();
    await close();
  });

  test("replaces the list by the operation on a phone, and links back", async () => {
    const { page, close } = await open("/reference?q=list+tools", {
      viewport: { width: 390, height: 844 },
    });
    const list = page.getByRole("navigation", { name: "Operations" });
    await list.getByRole("link", { name: /^List tools GET/ }).click();
    await heading(page, "List tools").waitFor();
    expect(await list.isVisible()).toBe(false);
    // The focus is not lost with the link.
    await until("the page has the focus", 5_000, () =>
      page.evaluate("document.activeElement?.id === 'main'"),
    );
    await page.getByRole("link", { name: "All operations" }).click();
    await list.waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("list tools");
    await close();
  });
});
