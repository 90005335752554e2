import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { hasBrowser, openStage } from "../../testing/stage.ts";
import type { Stage } from "../../testing/stage.ts";

describe.skipIf(!hasBrowser)("createForm", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const toolOf = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
    name: "test_tool_abcd",
    title: "Test tool",
    description: "A tool of a test.",
    inputSchema: { type: "object", properties, ...rest },
    outputSchema: { properties: [] },
    fileFields: [],
  });

  /** Mounts a form for the fields, presses Run, and returns the input of the run. */
  async function submitted(properties: JsonObject, input: JsonObject = {}, rest: JsonObject = {}) {
    await stage.mount(toolOf(properties, rest), input);
    return stage.submit();
  }

  const label = (name: string) => stage.page.getByLabel(name, { exact: true });

  describe("fields", () => {
    it("makes a label of the name or own title of a field, not the title of a definition", async () => {
      const place = { type: "object", title: "Place", properties: { city: { type: "string" } } };
      const refer = { $ref: "#/$defs/place" };
      await submitted(
        { home: refer, work: { ...refer, title: "Work place" } },
        {},
        {
          $defs: { place },
        },
      );
      for (const name of ["Add Home", "Add Work place"]) {
        expect(await stage.page.getByRole("button", { name, exact: true }).count()).toBe(1);
      }
    });

    it("states that a tool takes no input", async () => {
      expect(await submitted({})).toEqual({});
      expect(await stage.page.getByText("This tool takes no input.").isVisible()).toBe(true);
    });

    it("shows checkboxes for a list of unique choices", async () => {
      const sizes = { type: "array", items: { enum: ["S", "M", "L"] }, uniqueItems: true };
      expect(await submitted({ sizes })).toEqual({});
      await stage.mount(toolOf({ sizes }), { sizes: ["L"] });
      await stage.page.getByRole("checkbox", { name: "S" }).check();
      expect(await stage.submit()).toEqual({ sizes: ["S", "L"] });
    });

    it("keeps the items of a tuple in their positions", async () => {
      const prefixItems = [{ type: "number", title: "Width" }, { type: "string" }];
      const pair = { type: "array", prefixItems, items: false };
      await stage.mount(toolOf({ pair }, { required: ["pair"] }), {});
      await label("Width *").fill("3");
      await label("Pair 2 *").fill("cm");
      expect(await stage.page.getByRole("button").allInnerTexts()).toEqual(["Run"]);
      expect(await stage.submit()).toEqual({ pair: [3, "cm"] });
    });

    it("suggests values of a long enum, and hides secrets", async () => {
      const values = Array.from({ length: 2_000 }, (_, index) => `City ${index}`);
      await stage.mount(
        toolOf({
          city: { type: "string", enum: values },
          token: { type: "string", format: "password" },
          key: { type: "string", writeOnly: true },
        }),
      );
      expect(
        await label("City").evaluate((one) => (one as HTMLInputElement).list?.options.length),
      ).toBe(2_000);
      for (const name of ["Token", "Key"]) {
        expect(await label(name).getAttribute("type")).toBe("password");
      }
      await label("City").fill("City 7");
      await label("Token").fill("s3cret");
      expect(await stage.submit()).toEqual({ city: "City 7", token: "s3cret" });
    });
  });

  describe("values", () => {
    it("returns the initial input for every kind of field", async () => {
      const input = {
        line: "one",
        lines: "one\ntwo",
        count: 3,
        ratio: -0.25,
        yes: true,
        no: false,
        color: "green",
        size: 2,
        day: "2026-02-03",
        at: "2026-02-03T04:05:06+02:00",
        clock: "10:30:00Z",
        tags: ["a", "b"],
        place: { name: "Rome", at: { lat: 41.9, lon: 12.5 } },
        either: 7,
        counts: { a: 1, b: 2 },
        nothing: null,
        anything: { deep: [1, { two: null }] },
      };
      const properties: JsonObject = {
        line: { type: "string" },
        lines: { type: "string", maxLength: 5_000 },
        count: { type: "integer" },
        ratio: { type: "number" },
        yes: { type: "boolean" },
        no: { type: "boolean" },
        color: { enum: ["red", "green", "blue", "black"] },
        size: { enum: [1, 2] },
        day: { type: "string", format: "date" },
        at: { type: "string", format: "date-time" },
        clock: { type: "string", format: "time" },
        tags: { type: "array", items: { type: "string" } },
        place: {
          type: "object",
          properties: {
            name: { type: "string" },
            at: {
              type: "object",
              properties: { lat: { type: "number" }, lon: { type: "number" } },
            },
          },
        },
        either: { anyOf: [{ type: "string" }, { type: "number" }] },
        counts: { type: "object", additionalProperties: { type: "integer" } },
        nothing: { type: ["string", "null"] },
        anything: {},
      };
      expect(await submitted(properties, input)).toEqual(input);
    });

    it("omits empty optional fields and applies defaults", async () => {
      const properties: JsonObject = {
        text: { type: "string" },
        count: { type: "integer", default: 5 },
        list: { type: "array", items: { type: "string" } },
        flag: { type: "boolean" },
        inner: { type: "object", properties: { needed: { type: "string" } }, required: ["needed"] },
        choice: { enum: ["a", "b"] },
      };
      expect(await submitted(properties)).toEqual({ count: 5 });
    });

    it("returns null for empty required fields that are nullable", async () => {
      const properties: JsonObject = {
        a: { type: ["number", "null"] },
        b: { anyOf: [{ type: "string" }, { type: "null" }] },
        c: { enum: ["x", null] },
      };
      const given = await submitted(properties, {}, { required: ["a", "b", "c"] });
      expect(given).toEqual({ a: null, b: null, c: null });
    });

    it("follows references, including recursive ones", async () => {
      const properties: JsonObject = { tree: { $ref: "#/$defs/node" } };
      const rest: JsonObject = {
        $defs: {
          node: {
            type: "object",
            properties: { label: { type: "string" }, left: { $ref: "#/$defs/node" } },
            required: ["label"],
          },
        },
      };
      const input = { tree: { label: "root", left: { label: "leaf" } } };
      expect(await submitted(properties, input, rest)).toEqual(input);
      await stage.mount(toolOf(properties, rest));
      await stage.page.getByRole("button", { name: "Add tree" }).click();
      await label("Label *").fill("new");
      expect(await stage.submit()).toEqual({ tree: { label: "new" } });
    });

    it("edits values as JSON that no control can represent", async () => {
      const input = { count: "many", list: { not: "a list" }, free: [1, "two"] };
      const properties: JsonObject = {
        count: { type: "integer" },
        list: { type: "array", items: { type: "string" } },
        free: true,
      };
      await stage.mount(toolOf(properties), input);
      expect(await label("Count").inputValue()).toBe('"many"');
      expect(await stage.submit()).toBeUndefined();
      expect(await stage.page.getByText("Must be a whole number.").isVisible()).toBe(true);
      await label("Count").fill("4");
      await label("List").fill('["a"]');
      expect(await stage.submit()).toEqual({ count: 4, list: ["a"], free: [1, "two"] });
    });

    it("keeps initial members that are not in the schema", async () => {
      expect(await submitted({ a: { type: "string" } }, { a: "1", other: { x: 1 } })).toEqual({
        a: "1",
        other: { x: 1 },
      });
    });

    it("edits an input without declared properties as JSON", async () => {
      await stage.mount({ ...toolOf({}), inputSchema: { type: "object" } });
      await label("Input *").fill('{"a": [1]}');
      expect(await stage.submit()).toEqual({ a: [1] });
    });

    it("keeps members named like those of Object.prototype", async () => {
      const input = JSON.parse(
        '{"__proto__": "a", "constructor": "b", "toString": "c"}',
      ) as JsonObject;
      const properties = JSON.parse(
        '{"__proto__": {"type": "string"}, "constructor": {"type": "string"}, "toString": {"type": "string"}}',
      ) as JsonObject;
      expect(JSON.stringify(await submitted(properties, input))).toBe(JSON.stringify(input));
    });
  });

  describe("lists and maps", () => {
    it("adds, moves and removes items by keyboard, and announces it", async () => {
      const items: JsonObject = { type: "string" };
      await stage.mount(toolOf({ tags: { type: "array", items, maxItems: 3 } }), {
        tags: ["a", "b"],
      });
      const { page } = stage;
      await page.getByRole("button", { name: "Add item to tags" }).press("Enter");
      expect(await page.evaluate("document.activeElement.tagName")).toBe("INPUT");
      await page.keyboard.type("c");
      expect(await page.getByRole("button", { name: "Add item to tags" }).isVisible()).toBe(false);
      await page.getByRole("button", { name: "Move tags 3 up" }).press("Enter");
      expect(await page.getByText("tags: moved to position 2 of 3.").count()).toBe(1);
      await page.getByRole("button", { name: "Remove tags 1" }).press("Enter");
      expect(await stage.submit()).toEqual({ tags: ["c", "b"] });
      expect(await label("Tags 2 *").inputValue()).toBe("b");
    });

    it("adds fields with custom names, and rejects duplicate names", async () => {
      const schema: JsonObject = { type: "object", additionalProperties: { type: "integer" } };
      await stage.mount(toolOf({ counts: schema }, { required: ["counts"] }), { counts: { a: 1 } });
      await stage.page.getByRole("button", { name: "Add field to counts" }).click();
      await label("Name").nth(1).fill("a");
      await label("Value *").nth(1).fill("2");
      expect(await stage.submit()).toBeUndefined();
      expect(await stage.page.getByText('The field name "a" is already used.').isVisible()).toBe(
        true,
      );
      await label("Name").nth(1).fill("b");
      expect(await stage.submit()).toEqual({ counts: { a: 1, b: 2 } });
    });

    it("selects the type first if a value can be of several", async () => {
      const variants: JsonObject = {
        oneOf: [
          {
            title: "Circle",
            type: "object",
            properties: { radius: { type: "number" } },
            required: ["radius"],
          },
          { title: "Named", type: "string" },
        ],
      };
      await stage.mount(toolOf({ shape: variants }, { required: ["shape"] }));
      await label("Radius *").fill("2");
      expect(await stage.submit()).toEqual({ shape: { radius: 2 } });
      await label("Type of Shape").selectOption("Named");
      await label("Shape: Named *").fill("square");
      expect(await stage.submit()).toEqual({ shape: "square" });
    });
  });

  describe("problems", () => {
    it("shows problems at their fields, with the focus on the first", async () => {
      const properties: JsonObject = {
        count: { type: "integer", minimum: 1, maximum: 9, description: "How many." },
        name: { type: "string", minLength: 3 },
        mail: { type: "string", format: "email" },
      };
      await stage.mount(toolOf(properties, { required: ["count", "name"] }), {
        name: "ab",
        mail: "x",
      });
      expect(await stage.submit()).toBeUndefined();
      const { page } = stage;
      expect(await page.getByRole("alert").filter({ hasText: "3 fields" }).count()).toBe(1);
      const count = label("Count *");
      expect(await count.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await count.getAttribute("aria-invalid")).toBe("true");
      expect(await count.getAttribute("aria-required")).toBe("true");
      const ids = (await count.getAttribute("aria-describedby")) ?? "";
      const words = await page.evaluate(
        `${JSON.stringify(ids)}.split(" ").map((id) => document.getElementById(id).textContent)`,
      );
      expect(words).toEqual(["How many. From 1 to 9.", "Required."]);
      await count.fill("12");
      await label("Name *").fill("abc");
      await label("Mail").fill("a@b.example");
      expect(await stage.submit()).toBeUndefined();
      expect(await page.getByText("Must be at most 9.").isVisible()).toBe(true);
      await count.fill("9");
      await count.press("Enter");
      expect((await stage.calls()).at(-1)).toEqual([
        "run",
        { count: 9, name: "abc", mail: "a@b.example" },
      ]);
      expect(await count.getAttribute("aria-invalid")).toBeNull();
    });

    it("shows problems of the server at the fields that their pointers name", async () => {
      const properties: JsonObject = {
        list: {
          type: "array",
          items: { type: "object", properties: { "a/b": { type: "string" } } },
        },
      };
      await stage.mount(toolOf(properties), { list: [{ "a/b": "1" }, { "a/b": "2" }] });
      const errors = [
        { path: "/list/1/a~1b", message: "is not a city" },
        { path: "/elsewhere", message: "is odd" },
      ];
      await stage.show({ status: "refused", message: "The input is wrong.", errors });
      const field = stage.page.getByLabel("a/b").nth(1);
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await stage.page.getByText("elsewhere: is odd", { exact: true }).count()).toBe(1);
    });

    it("reports invalid JSON at its field", async () => {
      await stage.mount(toolOf({ free: {} }, { required: ["free"] }));
      await label("Free *").fill("{oops");
      expect(await stage.submit()).toBeUndefined();
      expect(await stage.page.getByText("Invalid JSON.").count()).toBe(1);
      expect(await stage.page.getByText("Required.").count()).toBe(0);
    });

    it("skips patterns that could take exponential time", async () => {
      const evil: JsonObject = { type: "string", pattern: "^(a+)+$" };
      const value = `${"a".repeat(40)}!`;
      expect(await submitted({ evil }, { evil: value })).toEqual({ evil: value });
      await stage.mount(toolOf({ code: { type: "string", pattern: "^[A-Z]{2}[0-9]+$" } }), {
        code: "x",
      });
      expect(await stage.submit()).toBeUndefined();
    });
  });

  describe("files", () => {
    const fileTool = {
      ...toolOf({ image: { type: "string" }, more: { type: "array", items: { type: "string" } } }),
      fileFields: ["image", "more"],
    };
    const file = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from("hello") });

    it("uploads files through the host and submits their IDs", async () => {
      await stage.mount(fileTool);
      await label("Image").setInputFiles(file("a.txt"));
      await stage.page.getByText("a.txt").waitFor();
      await stage.page.getByRole("button", { name: "Add item to more" }).click();
      await label("More 1 *").setInputFiles(file("b.txt"));
      await stage.page.getByText("b.txt").waitFor();
      expect(await stage.submit()).toEqual({ image: "file-of-a.txt", more: ["file-of-b.txt"] });
      await stage.page.getByRole("button", { name: "Remove a.txt" }).click();
      expect(await stage.submit()).toEqual({ more: ["file-of-b.txt"] });
    });

    it("shows the progress of an upload, and waits for it", async () => {
      await stage.mount(fileTool);
      await label("Image").setInputFiles(file("slow.txt"));
      const bar = stage.page.getByRole("progressbar", { name: "Upload progress for image" });
      expect(await bar.evaluate((one) => (one as HTMLProgressElement).value)).toBe(0.5);
      expect(await stage.submit()).toBeUndefined();
      await label("Image").setInputFiles(file("a.txt"));
      await stage.page.getByText("a.txt").waitFor();
      expect(await bar.isVisible()).toBe(false);
    });

    it("reports a failed upload and does not run the tool", async () => {
      await stage.mount(fileTool);
      await label("Image").setInputFiles(file("bad.txt"));
      await stage.page.getByText("Upload failed. It is too large.").waitFor();
      expect(await stage.submit()).toBeUndefined();
    });

    it("accepts file IDs as text if the host has no upload", async () => {
      await stage.mount(fileTool, {}, ["run"]);
      await label("Image").fill("id-1");
      expect(await stage.submit()).toEqual({ image: "id-1" });
    });
  });

  it("shows texts of a schema as plain text, not as HTML or code", async () => {
    const evil = '"><img src=x onerror="alert(1)"><script>alert(2)</script>';
    const properties: JsonObject = {
      [evil]: { type: "string", title: evil, description: evil, default: evil, examples: [evil] },
      choice: { enum: [evil, "b", "c", "d"], description: evil },
      radio: { enum: [evil, "b"] },
      list: { type: "array", title: evil, items: { type: "string", title: evil } },
      either: { anyOf: [{ title: evil, type: "string" }, { type: "number" }] },
    };
    const tool = { ...toolOf(properties, { required: ["radio"] }), title: evil, description: evil };
    await stage.mount(tool, { list: [evil], either: evil });
    expect(await stage.page.locator("img, script:not([nonce])").count()).toBe(0);
    await stage.page.getByRole("radio").first().check();
    expect(await stage.submit()).toMatchObject({ [evil]: evil, radio: evil, list: [evil] });
    expect((await stage.calls()).filter(([name]) => name === "violation")).toEqual([]);
  });

  it("limits the number of fields of a recursive schema", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: "#" }]));
    await stage.mount(toolOf(properties, { required: names }));
    expect(await stage.page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(20_000);
  });
});
