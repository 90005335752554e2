import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { hasBrowser, openStage } from "../../testing/stage.ts";
import type { Stage } from "../../testing/stage.ts";

describe.skipIf(!hasBrowser)("result view", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const tool = (properties: JsonObject[] = []): JsonObject => ({
    name: "test_tool_abcd",
    title: "Test tool",
    description: "",
    inputSchema: { type: "object", additionalProperties: false },
    outputSchema: { properties },
    fileFields: [],
  });

  async function shown(output: JsonObject, properties: JsonObject[] = []) {
    await stage.mount(tool(properties));
    await stage.show({ status: "completed", output });
    return stage.page.getByRole("region", { name: "Result" });
  }

  describe("values", () => {
    it("renders values by type, declared properties first", async () => {
      const output = {
        extra: null,
        total: 1234567.5,
        done: true,
        site: "https://example.com/a",
        at: "2026-02-03T04:05:06Z",
        nested: { a: 1, b: [1, 2] },
      };
      const result = await shown(output, [
        { name: "total", type: "number", description: "The sum", unit: "EUR" },
        { name: "done", type: "boolean", description: "" },
      ]);
      expect(await result.locator(".member > dt").allTextContents()).toEqual([
        "Total",
        "Done",
        "Extra",
        "Site",
        "At",
        "Nested",
      ]);
      expect(await result.locator("dd").nth(0).textContent()).toBe("1,234,567.5 EUR");
      expect(await result.locator("dd").nth(1).textContent()).toBe("Yes");
      const link = result.getByRole("link", { name: "https://example.com/a" });
      expect(await link.getAttribute("rel")).toContain("noopener");
      await link.click();
      expect(await stage.calls()).toEqual([["openLink", "https://example.com/a"]]);
    });

    it("renders a list of objects as a table with a caption, all columns, and more rows on request", async () => {
      const rows = Array.from({ length: 250 }, (_, index) => ({
        id: index,
        ...(index === 3 ? { late: "here" } : {}),
      }));
      const result = await shown({ rows });
      const table = result.getByRole("table");
      expect(await table.locator("caption").textContent()).toBe("Rows: 250 rows");
      expect(await table.getByRole("columnheader").allTextContents()).toEqual(["ID", "Late"]);
      expect(await table.locator("tbody tr").count()).toBe(100);
      await result.getByRole("button", { name: "Show 100 more rows (150 left)" }).click();
      await result.getByRole("button", { name: "Show 50 more rows (50 left)" }).click();
      expect(await table.locator("tbody tr").count()).toBe(250);
      const head = table.getByRole("columnheader").first();
      expect(await head.evaluate((one) => getComputedStyle(one).position)).toBe("sticky");
    });

    it("renders files as download links", async () => {
      const file = {
        fileId: "f1",
        fileName: "report.csv",
        mimeType: "text/csv",
        size: 12_345,
        url: "https://host.example/api/v1/files/f1",
      };
      const result = await shown({ file, files: [file, file] });
      expect(await result.getByRole("link", { name: "Download report.csv" }).count()).toBe(3);
      expect(await result.getByText("text/csv, 12.3 kB").count()).toBe(3);
    });

    it("renders images from data URLs, except formats that can contain scripts", async () => {
      const png =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
      const svg = `data:image/svg+xml;base64,${Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").toString("base64")}`;
      const result = await shown({ png, svg });
      expect(await result.getByRole("img", { name: "png" }).count()).toBe(1);
      expect(await result.locator("img").count()).toBe(1);
    });

    it("skips no level of headings of Markdown that does", async () => {
      const text = "## Inputs\n\n#### Note\n\n# Title\n\n## Usage\n\n### Curl\n";
      const headings = (await shown({ text })).locator(".markdown :is(h1,h2,h3,h4,h5,h6)");
      const tags = await headings.evaluateAll((all) => all.map(({ tagName }) => tagName));
      expect(tags).toEqual(["H3", "H4", "H3", "H4", "H5"]);
    });

    it("renders Markdown without HTML, scripts or remote images", async () => {
      const text = [
        "# Title",
        'Some **bold**, *slanted*, `code` and [a link](https://example.com/x_(y) "t") (https://example.com/z_(w)).',
        "",
        "- one",
        "  - inner",
        "- two",
        "",
        "| a | b |",
        "|---|---|",
        "| 1 | **2** |",
        "",
        "![photo](https://tracker.example/p.png) [bad](javascript:alert(1)) [data](data:text/html,x)",
        "<script>alert(1)</script><img src=x onerror=alert(2)>",
        "```",
        "</code><script>",
        "```",
      ].join("\n");
      const result = await shown({ text });
      const markdown = result.locator(".markdown");
      expect(await markdown.getByRole("heading", { name: "Title" }).count()).toBe(1);
      expect(await markdown.locator("strong").allTextContents()).toEqual(["bold", "2"]);
      expect(await markdown.locator("li li").allTextContents()).toEqual(["inner"]);
      expect(await markdown.locator("pre").textContent()).toBe("</code><script>");
      expect(await markdown.locator("img, script").count()).toBe(0);
      const addresses = await markdown
        .locator("a")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
      expect(addresses).toEqual([
        "https://example.com/x_(y)",
        "https://example.com/z_(w)",
        "https://tracker.example/p.png",
      ]);
      expect(await markdown.getByText("<script>alert(1)</script>").count()).toBe(1);
      await result.getByText("View as plain text").click();
      expect(await result.locator(".later pre").textContent()).toBe(text);
    });
  });

  describe("hostile output", () => {
    const evil = '"><img src=x onerror="alert(1)"><script>alert(2)</script>';

    it("runs no script and loads nothing, wherever the text is", async () => {
      const output: JsonObject = {
        [evil]: evil,
        table: [{ [evil]: evil, link: "javascript:alert(3)" }, { [evil]: { [evil]: [evil] } }],
        list: [evil, 1, { [evil]: evil }],
        file: { fileId: evil, fileName: evil, mimeType: evil, size: 1, url: "javascript:alert(4)" },
        image: {
          fileId: "x",
          fileName: evil,
          mimeType: "image/png",
          url: "https://tracker.example/",
        },
        link: "javascript:alert(5)",
        tabbed: "java\tscript:alert(6)",
        markdown: `# ${evil}\n\n[x](javascript:alert(7)) [y](JaVaScRiPt:alert(8))\n${evil}`,
      };
      const result = await shown(output, [
        { name: evil, type: "string", description: evil, title: evil, unit: evil },
      ]);
      await result.getByText("View as JSON").click();
      expect(await stage.page.locator("img, iframe, object, script:not([nonce])").count()).toBe(0);
      expect(await stage.page.locator('a[href^="javascript" i]').count()).toBe(0);
      for (const state of [
        {
          status: "failed",
          code: evil,
          message: evil,
          stack: evil,
          log: [{ at: evil, level: evil, message: evil }],
        },
        {
          status: "missing",
          message: evil,
          missing: [{ name: evil, connectUrl: "javascript:alert(9)" }],
        },
        { status: "refused", message: evil, errors: [{ path: `/${evil}`, message: evil }] },
        { status: "refused", message: evil, reviewUrl: "javascript:alert(9)" },
        {
          status: "running",
          progress: { fraction: 9, message: evil },
          note: evil,
          log: [{ at: "", level: evil, message: evil }],
        },
      ] as const) {
        await stage.show(state);
        expect(await stage.page.locator("img, script:not([nonce])").count()).toBe(0);
      }
      expect(await stage.calls()).toEqual([]);
    });

    it("links the page where a refused run is reviewed", async () => {
      await stage.mount(tool());
      const reviewUrl = "https://tools.example.com/imports?tool=a";
      await stage.show({ status: "refused", message: "The definition changed.", reviewUrl });
      const link = stage.page.getByRole("link", { name: "Review the change" });
      expect(await link.getAttribute("href")).toBe(reviewUrl);
    });

    it("keeps the page responsive with 100,000 rows, megabytes of text and deep nesting", async () => {
      await stage.mount(tool());
      // Created in the page, because sending it there would take most of the time.
      await stage.page.evaluate(`{
      let deep = { end: true };
      for (let depth = 0; depth < 20000; depth += 1) deep = { inner: deep };
      const output = {
        rows: Array.from({ length: 100000 }, (_, id) => ({ id, name: "row " + id })),
        numbers: Array.from({ length: 100000 }, (_, id) => id),
        text: "x".repeat(5000000),
        lines: ("- item\\n").repeat(100000),
        stars: "*".repeat(100000) + "\\n# a",
        brackets: "# a\\n" + "[".repeat(19000),
        columns: [Object.fromEntries(Array.from({ length: 5000 }, (_, id) => ["c" + id, id]))],
        members: Object.fromEntries(Array.from({ length: 50000 }, (_, id) => ["m" + id, id])),
        deep,
      };
      window.view.show({ status: "completed", output });
    }`);
      const { page } = stage;
      expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(60_000);
      await page.getByRole("button", { name: /^Show 100 more rows/ }).click();
      await page
        .getByRole("button", { name: /^Show more \(/ })
        .first()
        .click();
      await page.getByText("View as JSON").click();
      expect(await page.getByText("100,000 rows").count()).toBe(1);
      expect(await stage.calls()).toEqual([]);
    });
  });

  describe("states", () => {
    it("updates progress and log in place, and cancels the run once", async () => {
      await stage.mount(tool());
      const { page } = stage;
      const line = (message: string) => ({ at: "2026-01-01T00:00:00Z", level: "info", message });
      await stage.show({
        status: "running",
        progress: { fraction: 0.25, message: "Reading" },
        log: [line("one")],
      });
      const cancel = page.getByRole("button", { name: "Cancel" });
      await cancel.focus();
      await stage.show({
        status: "running",
        progress: { fraction: 0.5, message: "Writing" },
        log: [line("one"), line("two")],
      });
      expect(await cancel.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(
        await page.getByRole("progressbar").evaluate((one) => (one as HTMLProgressElement).value),
      ).toBe(0.5);
      expect(await page.getByLabel("Log").textContent()).toBe("one\ntwo");
      expect(await page.getByText("Writing").isVisible()).toBe(true);
      await cancel.press("Enter");
      await page.getByRole("button", { name: "Cancelling…" }).press("Enter");
      expect(await stage.calls()).toEqual([["cancel", null]]);
      await stage.show({ status: "cancelled" });
      expect(await page.getByRole("status").filter({ hasText: "Run cancelled." }).count()).toBe(1);
      expect(await page.getByRole("button", { name: "Run again" }).isVisible()).toBe(true);
      await stage.show({ status: "running" });
      await cancel.press("Enter");
      expect(await stage.calls()).toHaveLength(2);
    });

    it("shows the code, message, stack trace and log of a failure", async () => {
      await stage.mount(tool());
      await stage.show({
        status: "failed",
        code: "tool_error",
        message: "No such city",
        stack: "at tool.js:1",
        log: [{ at: "t", level: "warn", message: "looked" }],
        durationMs: 65_000,
      });
      const { page } = stage;
      expect(await page.getByRole("alert").filter({ hasText: "No such city" }).count()).toBe(1);
      expect(await page.getByText("tool_error").isVisible()).toBe(true);
      expect(await page.getByText("in 1 min 5 s").isVisible()).toBe(true);
      await page.getByText("Stack trace").click();
      await page.getByText("at tool.js:1").waitFor();
      await page.getByText("Log (1 line)").click();
      await page.getByText("t warn looked").waitFor();
    });

    it("opens the page where a missing credential is connected", async () => {
      await stage.mount(tool());
      const missing = [
        { name: "API_TOKEN", connectUrl: "https://host.example/credentials?connect=API_TOKEN" },
      ];
      await stage.show({ status: "missing", missing, message: "Connect it first." });
      await stage.page.getByRole("button", { name: "Add API_TOKEN" }).click();
      expect(await stage.calls()).toEqual([["openLink", missing[0]?.connectUrl]]);
    });
  });
});
