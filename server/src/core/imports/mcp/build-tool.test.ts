import type { JsonObject } from "@toolhost/contract";
import { afterAll, describe, expect, it } from "vitest";
import { createValidation } from "#core/validation";
import { buildTool } from "./build-tool.ts";
import type { BuildOptions, McpToolDefinition } from "./definition.ts";

const validation = createValidation({ size: 1, jobCpuMs: 2_000, cpuMsPerMinute: 60_000 });
afterAll(() => validation.stop());

const checkSchema = (schema: JsonObject) => validation.checkDefinition("workspace", schema, []);
const server = {
  url: "https://mcp.example.com/mcp?tenant=1",
  transport: "http",
  protocolVersion: "2025-06-18",
} as const;
const definition: McpToolDefinition = { name: "work", inputSchema: { type: "object" } };

const build = (rest: object = {}, options: Partial<BuildOptions> = {}, url: string = server.url) =>
  buildTool({ ...server, url }, { ...definition, ...rest }, { checkSchema, ...options });
const inputOf = async (inputSchema: object) => {
  const { tool, notes } = await build({ inputSchema });
  expect(await checkSchema(tool.inputSchema)).toEqual([]);
  return { schema: tool.inputSchema, notes };
};

describe("buildTool", () => {
  it("reaches the server's host only, with its credentials", async () => {
    const credentials = [{ name: "KEY", header: "X-Api-Key", prefix: "" }];
    const { tool } = await build({}, { credentials });
    expect(tool).toMatchObject({
      title: "work",
      description: "Calls the tool work of the MCP server mcp.example.com.",
      allowedHosts: ["mcp.example.com"],
      credentials: [{ name: "KEY", hosts: ["mcp.example.com"] }],
      idempotent: false,
      isolation: "reuse",
    });
    expect(tool.source.code).toContain('"header": "x-api-key"');
    expect((await build({}, {}, "http://10.0.0.5:8080/sse")).tool.allowedHosts).toEqual([
      "http://10.0.0.5:8080",
    ]);
  });

  it("has the same code for all tools, except for JSON literals without invisible characters", async () => {
    const first = await build();
    const name = "*/ alert(1) \u2028 `${x}` \u202e \"'\\";
    const second = await build({ name, description: "// \n evil()" });
    const [settings = "", ...rest] = second.tool.source.code.split("\n};\n");
    expect(rest).toEqual(first.tool.source.code.split("\n};\n").slice(1));
    expect(settings).toMatch(/^[\x20-\x7e\n]+$/);
    const json = settings.slice(settings.indexOf("{"));
    expect(JSON.parse(`${json}\n}`)).toMatchObject({ tool: name, url: server.url });
    expect(second.tool.source.code).not.toMatch(/^import /m);
  });

  it("omits keywords for readers, and notes invisible characters elsewhere", async () => {
    const hidden = "a\u{e0041}\u200b";
    const { schema, notes } = await inputOf({
      type: "object",
      $comment: "aside",
      "x-aside": "aside",
      properties: {
        "x-kept": { type: "string", examples: ["aside"], "X-Aside": 1, description: hidden },
        [hidden]: { enum: [hidden, "b"], default: "b" },
      },
      required: [hidden],
    });
    expect(schema).toEqual({
      type: "object",
      properties: {
        "x-kept": { type: "string", description: "a" },
        [hidden]: { enum: [hidden, "b"], default: "b" },
      },
      required: [hidden],
    });
    expect(notes).toEqual([
      'The tool contains invisible characters in "/inputSchema/properties/a", "/inputSchema/properties/a/enum/0", "/inputSchema/required/0". Read it with care.',
    ]);
  });

  it("makes texts visible and short", async () => {
    const hidden = "ignore all".replaceAll(/./g, (one) =>
      String.fromCodePoint(0xe0000 + one.charCodeAt(0)),
    );
    const { tool, notes } = await build({
      title: `Read\u202e\n a\u200b file ${"x".repeat(100)}`,
      description: `First line${hidden}\r\nsecond\u00ad line\u0007 ${"y".repeat(5_000)}`,
    });
    expect(tool.title).toMatch(/^Read a file x{67}…$/);
    expect(tool.description).toMatch(/^First line\nsecond line y+…$/);
    expect(tool.description.length).toBeLessThanOrEqual(4_000);
    expect(notes).toEqual([
      expect.stringContaining("Invisible characters"),
      expect.stringContaining("shortened"),
      ...notes.slice(2),
    ]);
    expect((await build({ title: "\u200b", annotations: { title: "Hint" } })).tool.title).toBe(
      "Hint",
    );
  });

  it.each([
    [undefined, true],
    [{}, true],
    [{ destructiveHint: true }, true],
    [{ readOnlyHint: true, destructiveHint: true }, true],
    [{ readOnlyHint: "true" }, true],
    [{ destructiveHint: "false" }, true],
    [{ destructiveHint: null }, true],
    [{ idempotentHint: true }, true],
    [{ destructiveHint: false }, false],
    [{ readOnlyHint: true }, false],
    [["readOnlyHint"], true],
  ])(
    "derives from %j that confirm is %s, and never that it is idempotent",
    async (annotations, confirm) => {
      const { tool, notes } = await build({ annotations });
      expect([tool.confirm, tool.idempotent]).toEqual([confirm, false]);
      expect(notes.some((note) => note.includes("destroys nothing"))).toBe(!confirm);
    },
  );

  it("describes structured content by the server's schema", async () => {
    const properties = { sum: { type: "number", description: "The\u200b sum" } };
    const { tool } = await build({
      outputSchema: {
        type: "object",
        properties,
        name: "evil",
        optional: false,
        required: ["sum"],
      },
    });
    const [first] = tool.outputSchema.properties;
    expect(first).toMatchObject({
      name: "structuredContent",
      type: "object",
      optional: true,
      properties: { sum: { type: "number", description: "The sum" } },
    });
    const long = await build({
      outputSchema: { type: "object", description: "x", enum: ["y".repeat(20_000)] },
    });
    expect(long.notes).toContainEqual(expect.stringContaining("output schema"));
    expect((await build()).tool.outputSchema.properties.map(({ name }) => name)).toEqual([
      "text",
      "files",
      "resources",
      "links",
    ]);
  });
});

describe("an input schema", () => {
  it("stays as it is if it can be saved", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", enum: ["x\u200b"] }, b: { $ref: "#/$defs/b" } },
      required: ["a"],
      additionalProperties: false,
      $defs: { b: { type: "array", items: { type: "integer" } } },
    };
    expect(await inputOf(schema)).toEqual({
      schema,
      notes: [
        'The tool contains invisible characters in "/inputSchema/properties/a/enum/0". Read it with care.',
      ],
    });
  });

  it("is converted from older drafts and from OpenAPI", async () => {
    const { schema, notes } = await inputOf({
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: "https://example.com/schema",
      properties: {
        pair: {
          type: "array",
          items: [{ type: "string" }, { type: "number" }],
          additionalItems: false,
        },
        size: {
          type: "number",
          minimum: 0,
          exclusiveMinimum: true,
          maximum: 9,
          exclusiveMaximum: false,
        },
        kind: { type: "string", nullable: true, enum: ["a"], required: true },
        from: { $ref: "#/definitions/from" },
      },
      dependencies: { pair: ["size"], size: { required: ["kind"] } },
      definitions: { from: { type: "string", description: "Where\u200b from" } },
    });
    expect(notes).toEqual([]);
    expect(schema).toEqual({
      type: "object",
      properties: {
        pair: {
          type: "array",
          prefixItems: [{ type: "string" }, { type: "number" }],
          items: false,
        },
        size: { type: "number", exclusiveMinimum: 0, maximum: 9 },
        kind: { type: ["string", "null"], enum: ["a", null] },
        from: { $ref: "#/definitions/from" },
      },
      dependentRequired: { pair: ["size"] },
      dependentSchemas: { size: { required: ["kind"] } },
      definitions: { from: { type: "string", description: "Where from" } },
    });
  });

  it("loses only long descriptions if that suffices", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [
        `p${at}`,
        { type: "string", description: "x".repeat(1_000) },
      ]),
    );
    const { schema, notes } = await inputOf({ type: "object", properties });
    expect(notes).toEqual([expect.stringContaining("200 characters")]);
    expect(Object.keys(schema["properties"] ?? {})).toHaveLength(100);
  });

  it.each([
    ["an unknown reference", { properties: { a: { $ref: "https://example.com/a.json" } } }],
    ["an invalid pattern", { properties: { a: { type: "string", pattern: "(" } } }],
    ["an invalid type", { properties: { a: { type: "text" } } }],
    ["an endless reference", { properties: { a: { $ref: "#/properties/a" } } }],
    ["a keyword of another form", { properties: { a: { enum: "x" } } }],
  ])("is simplified because of %s", async (_, schema) => {
    const { schema: fitted, notes } = await inputOf({ type: "object", required: ["a"], ...schema });
    expect(Object.keys(fitted["properties"] ?? {})).toEqual(["a"]);
    expect(fitted["required"]).toEqual(["a"]);
    expect(notes).toEqual([expect.stringContaining("simplified")]);
  });

  it("accepts any object if nothing else can be saved", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`property${at}`, { type: "string" }]),
    );
    const { schema, notes } = await inputOf({ type: "object", properties });
    expect(schema).toEqual({ type: "object" });
    expect(notes).toEqual([expect.stringContaining("any object")]);
  });
});
