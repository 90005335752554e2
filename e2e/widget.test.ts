import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAppHost } from "./src/app-host.ts";
import type { AppHost } from "./src/app-host.ts";
import { hasBrowser, startChromium } from "./src/browser.ts";
import { createRpc } from "./src/mcp-http.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const report = `export default async ({ city, days = 3 }) => ({
  average: 21.5,
  summary: "# " + city + "\\n\\nMostly **sunny**.\\n",
  days: Array.from({ length: days }, (_, index) => ({ day: index + 1, degrees: 20 + index })),
})`;
const reportDraft = {
  title: "Weather report",
  description: "The weather of some days.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", description: "Where", not: { const: "Nowhere" } },
      days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
    },
    required: ["city"],
    additionalProperties: false,
  },
  outputSchema: {
    properties: [
      { name: "average", type: "number" as const, description: "Mean", unit: "°C" },
      { name: "summary", type: "string" as const, description: "In words" },
    ],
  },
};
const slow = `export default async ({ ms }, ctx) => {
  for (let step = 1; step <= 10; step += 1) {
    ctx.progress(step / 10, "step " + step);
    await new Promise((done) => setTimeout(done, ms / 10));
  }
  return { waited: ms };
}`;
const slowSchema = {
  type: "object",
  properties: { ms: { type: "integer" } },
  required: ["ms"],
};
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let server: Server;
let host: AppHost;
let reportName: string;
let slowName: string;

beforeAll(async () => {
  server = await startServer({ RUN_WAIT_MS: "1500" });
  if (hasBrowser) host = await startAppHost(server);
  reportName = await server.makeTool(report, reportDraft);
  slowName = await server.makeTool(slow, { title: "Slow tool", inputSchema: slowSchema });
});
afterAll(async () => {
  await host?.close();
  await server?.stop();
});

const openForm = () => host.widget.getByText("Edit input and run again").click();

type Browser = { getComputedStyle(element: unknown): Record<string, string> };

/** A computed style of an element. */
function styleOf(element: Locator, name: "color" | "colorScheme"): Promise<unknown> {
  return element.evaluate(
    (one, wanted) => (globalThis as unknown as Browser).getComputedStyle(one)[wanted],
    name,
  );
}

describe.skipIf(!hasBrowser)("the widget", () => {
  test("is one small self-contained page with few permissions", () => {
    const { text, mimeType, _meta } = host.resource;
    expect(mimeType).toBe("text/html;profile=mcp-app");
    expect(Buffer.byteLength(text)).toBeLessThan(82_000);
    expect(text).toContain("default-src 'none'");
    expect(text.match(/\b(?:src|href)="[^"]+"/g)).toBeNull();
    const { origin } = new URL(server.baseUrl);
    expect(_meta?.["ui"]).toEqual({
      csp: { connectDomains: [origin], resourceDomains: [] },
      prefersBorder: true,
    });
  });

  test(
    "shows a result by its types, and runs the tool again with changed input",
    proves("widget.every_tool"),
    async () => {
      await host.open(reportName, { city: "Rome" });
      const { widget } = host;
      await widget.getByRole("heading", { name: "Weather report" }).waitFor();
      expect(await widget.getByText("21.5 °C").isVisible()).toBe(true);
      expect(await widget.locator("strong", { hasText: "sunny" }).isVisible()).toBe(true);
      expect(await widget.getByRole("table").locator("tbody tr").count()).toBe(3);
      await host.picture("widget-result");
      await openForm();
      expect(await widget.getByLabel("city *").inputValue()).toBe("Rome");
      await widget.getByLabel("city *").fill("Oslo");
      await widget.getByLabel("Days", { exact: true }).fill("5");
      await host.picture("widget-form");
      await widget.getByLabel("Days", { exact: true }).press("Enter");
      await widget.getByRole("heading", { name: "Oslo" }).waitFor();
      expect(await widget.getByRole("table").locator("tbody tr").count()).toBe(5);
      expect(String((await host.events("model")).at(-1))).toContain("Oslo");
      await widget.getByRole("button", { name: "Use result in chat" }).click();
      await until("the chat has it", 30_000, async () => (await host.events("message")).length > 0);
      await widget.getByRole("link", { name: "Open tool page" }).click();
      await until("the page is open", 30_000, async () => (await host.events("link")).length > 0);
      expect(String((await host.events("link"))[0])).toContain(reportName);
    },
  );

  test("shows the service's errors at their fields", async () => {
    await host.open(reportName, { city: "Rome" });
    const { widget } = host;
    await openForm();
    await widget.getByLabel("city *").fill("Nowhere");
    await widget.getByRole("button", { name: "Run again" }).click();
    await widget.locator('[aria-invalid="true"]').waitFor();
    const field = widget.getByLabel("city *");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await host.picture("widget-wrong-input");
    await host.open(reportName, { city: "Rome", days: 99 });
    await widget.getByText("Not started", { exact: true }).waitFor();
    await widget.locator('[aria-invalid="true"]').waitFor();
    expect(await widget.getByLabel("Days", { exact: true }).getAttribute("aria-invalid")).toBe(
      "true",
    );
  });

  test("follows a long run to its end", { tags: ["nightly"] }, async () => {
    await host.open(slowName, { ms: 9_000 });
    const { widget } = host;
    await widget.getByRole("progressbar").waitFor();
    await widget.getByText(/^step [3-9]$/).waitFor();
    await host.picture("widget-running");
    await widget.getByText("9,000", { exact: true }).waitFor();
    expect(await widget.getByText("Completed").isVisible()).toBe(true);
  });

  test("cancels a run that it started", async () => {
    await host.open(slowName, { ms: 100 });
    const { widget } = host;
    await widget.getByText("Completed").waitFor();
    await openForm();
    await widget.getByLabel("ms *").fill("60000");
    await widget.getByRole("button", { name: "Run again" }).click();
    await widget.getByRole("button", { name: "Cancel run" }).click();
    await widget.getByText("Cancelled", { exact: true }).waitFor();
    const ended = await until("the run has ended", 20_000, async () => {
      const { body } = await server.call("GET", `/runs?toolName=${slowName}&limit=1`);
      return body[0]?.status !== "running" && body[0];
    });
    expect(ended).toMatchObject({ status: "cancelled", input: { ms: 60_000 } });
  });

  test("shows the code, message and log of a failure", async () => {
    const name = await server.makeTool(
      "export default async () => { console.log('looking'); throw new Error('No such city') }",
    );
    await host.open(name, {});
    const { widget } = host;
    await widget.getByText("tool_error").waitFor();
    expect(await widget.locator(".ui-note").first().textContent()).toContain("No such city");
    await widget.getByText("Log (1 line)").click();
    await widget.getByText(/info looking$/).waitFor();
    await widget.getByText("Stack trace").click();
    await host.picture("widget-failure");
  });

  test("opens the page where a missing credential is connected", async () => {
    const credentials = [{ name: "WEATHER_TOKEN", hosts: ["api.example.com"] }];
    const name = await server.makeTool("export default async () => ({})", {
      credentials,
      allowedHosts: ["api.example.com"],
    });
    await host.open(name, {});
    await host.widget.getByRole("button", { name: "Add WEATHER_TOKEN" }).click();
    await until("the page is open", 30_000, async () => (await host.events("link")).length > 0);
    expect(String((await host.events("link"))[0])).toContain("WEATHER_TOKEN");
    await host.picture("widget-missing");
  });

  test("sends files small and large, and shows images", { tags: ["nightly"] }, async () => {
    const code = `export default async ({ file }, ctx) => {
      const given = await ctx.files.open(file);
      const { length } = await given.bytes();
      const body = Uint8Array.from(atob("${pixel}"), (one) => one.charCodeAt(0));
      return { length, picture: await ctx.files.save({ name: "pixel.png", mimeType: "image/png", body }) };
    }`;
    const name = await server.makeTool(code, {
      inputSchema: {
        type: "object",
        properties: { file: { type: "string" } },
        required: ["file"],
      },
      fileFields: ["file"],
    });
    await host.open(name, {});
    const { widget } = host;
    for (const size of [5, 3_000_000]) {
      const input = widget.getByLabel("File *", { exact: true });
      await input.setInputFiles({
        name: `${size}.txt`,
        mimeType: "text/plain",
        buffer: Buffer.alloc(size, "a"),
      });
      await widget.getByRole("button", { name: `Remove ${size}.txt` }).waitFor();
      await widget.getByRole("button", { name: /^Run/ }).click();
      await widget.getByText(size.toLocaleString("en"), { exact: true }).waitFor();
      await widget.getByRole("img", { name: "pixel.png" }).waitFor();
      await host.picture("widget-file");
      if (size === 5) await openForm();
    }
    expect(await widget.getByRole("link", { name: "Download pixel.png" }).count()).toBe(1);
  });

  test("applies the host's theme and colors, also when they change", async () => {
    const variables = { "--color-text-primary": "rgb(10, 200, 30)", "--font-sans": "serif" };
    const context = { theme: "dark", styles: { variables } };
    await host.open(reportName, { city: "Rome" }, { context });
    const { widget } = host;
    const heading = widget.getByRole("heading", { name: "Weather report" });
    await heading.waitFor();
    const root = widget.locator("html");
    expect(await styleOf(heading, "color")).toBe("rgb(10, 200, 30)");
    expect(await styleOf(root, "colorScheme")).toBe("dark");
    await host.page.evaluate("window.bridge.sendHostContextChange({ theme: 'light' })");
    await until("it is light", 30_000, async () => {
      return (await styleOf(root, "colorScheme")) === "light";
    });
    await host.open(reportName, { city: "Rome" }, { context: { theme: "dark" } });
    await heading.waitFor();
    await host.page.evaluate("document.body.style.background = '#1b1b1d'");
    await host.picture("widget-dark");
    await host.page.evaluate("document.body.style.background = ''");
  });

  test("works in a host that provides only the result", async () => {
    const structuredContent = {
      runId: "r",
      status: "completed",
      toolName: reportName,
      output: { sum: 3 },
    };
    const result = { content: [{ type: "text", text: "{}" }], structuredContent };
    await host.open(reportName, {}, { capabilities: {}, result });
    const { widget } = host;
    await widget.getByText("Completed").waitFor();
    expect(await widget.getByRole("heading", { name: reportName }).isVisible()).toBe(true);
    expect(await widget.getByRole("button", { name: /^Run/ }).count()).toBe(0);
    const text = "The tool failed: no luck";
    const failed = { content: [{ type: "text", text }], isError: true };
    await host.open(reportName, {}, { capabilities: {}, result: failed });
    await widget.locator(".message", { hasText: text }).waitFor();
  });

  test("raises no error and violates no policy", () => {
    expect(host.faults).toEqual([]);
  });
});

test.skipIf(!hasBrowser)("applies its styles under a host's own policy", async () => {
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">`;
    await page.route("http://widget.test/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><html><head>${policy}</head>${host.resource.text}`,
      }),
    );
    await page.goto("http://widget.test/");
    const heading = page.getByRole("heading");
    await heading.waitFor();
    const family = await heading.evaluate(
      (one) => (globalThis as unknown as Browser).getComputedStyle(one)["fontFamily"],
    );
    expect(family).toContain("system-ui");
  } finally {
    await browser.close();
  }
});

describe("images as resources", () => {
  const read = async (fileId: string, key = server.apiKey) => {
    const rpc = createRpc(() => server.baseUrl, key);
    return (await rpc.ask("resources/read", { uri: `toolhost-file://${fileId}` })).body;
  };
  const send = async (name: string, mimeType: string, bytes: Buffer) => {
    const draft = { fileName: name, mimeType, contentBase64: bytes.toString("base64") };
    return String(expectStatus(201, await server.call("POST", "/upload", draft)).body.fileId);
  };

  test("returns images whole, with the type of their bytes", async () => {
    const fileId = await send("pixel.txt", "text/plain", Buffer.from(pixel, "base64"));
    const { result } = await read(fileId);
    expect(result.contents).toEqual([
      { uri: `toolhost-file://${fileId}`, mimeType: "image/png", blob: pixel },
    ]);
  });

  test("rejects types that can contain code, and callers without mcp:read", async () => {
    const svg = await send("a.svg", "image/svg+xml", Buffer.from("<svg onload='alert(1)'/>"));
    const large = Buffer.concat([Buffer.from(pixel, "base64"), Buffer.alloc(700_000)]);
    const many = await Promise.all(
      [svg, "none", "01900000-0000-7000-8000-000000000000"].map((id) => read(id)),
    );
    expect(many.map(({ error }) => error?.code)).toEqual([-32002, -32002, -32002]);
    const image = await send("large.png", "image/png", large);
    expect((await read(image)).result.contents[0].mimeType).toBe("image/png");
    const { key } = await server.createKey({ name: "Runs only", scopes: ["mcp:execute"] });
    expect(await read(image, key)).not.toHaveProperty("result");
  });
});

test.skipIf(!hasBrowser)("works with window.openai only", async () => {
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      const calls: unknown[] = [];
      const openai = {
        theme: "dark",
        toolInput: { tool_name: "add_abcd", arguments: { a: 1 } },
        toolOutput: { runId: "r", status: "completed", toolName: "add_abcd", output: { sum: 3 } },
        callTool: (name: string, args: { arguments?: { a: number } }) => {
          calls.push([name, args]);
          const properties = { a: { type: "number" } };
          const tool = {
            name: "add_abcd",
            title: "Add",
            inputSchema: { type: "object", properties },
          };
          const answer =
            name === "service_get_skill"
              ? { tools: [tool] }
              : { runId: "s", status: "completed", output: { sum: args.arguments?.a } };
          return Promise.resolve({ structuredContent: answer });
        },
      };
      Object.assign(globalThis, { openai, calls });
    });
    await page.route("http://widget.test/", (route) =>
      route.fulfill({ contentType: "text/html", body: host.resource.text }),
    );
    await page.goto("http://widget.test/");
    await page.getByRole("heading", { name: "Add" }).waitFor();
    await page.getByText("3", { exact: true }).waitFor();
    await page.getByText("Edit input and run again").click();
    await page.getByLabel("A", { exact: true }).fill("41");
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByText("41", { exact: true }).waitFor();
    expect(await page.evaluate("calls.at(-1)")).toEqual([
      "service_execute_tool",
      { tool_name: "add_abcd", arguments: { a: 41 } },
    ]);
  } finally {
    await browser.close();
  }
});
