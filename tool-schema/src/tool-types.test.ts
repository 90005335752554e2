import { describe, expect, it } from "vitest";
import {
  countErrors,
  globalsSetBy,
  readContextDeclaration,
  separators,
} from "../testing/compile-types.ts";
import type { JsonObject } from "./json.ts";
import { toolContextText } from "./tool-context.ts";
import { toolTypes } from "./tool-types.ts";

const tool = (body: string) =>
  `export default async (input: Input, ctx: Context): Promise<Output> => {\n${body}\nreturn {} as Output;\n};`;
const withInput = (inputSchema: JsonObject, ...bodies: string[]) =>
  countErrors(bodies.map((body) => ({ definition: { inputSchema }, code: tool(body) })));
const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
});

describe("toolTypes for an input", () => {
  it("declares required and optional properties", async () => {
    const schema: JsonObject = {
      type: "object",
      properties: {
        name: { type: "string", format: "email" },
        age: { type: "integer" },
        "odd-name": { type: "boolean" },
      },
      required: ["name", "unlisted"],
    };
    const right = `const name: string = input.name; const age: number | undefined = input.age;
      const odd: boolean | undefined = input["odd-name"]; const more: unknown = input.unlisted;`;
    const wrong = ["const age: number = input.age;", "const typo = input.nmae;"];
    expect(await withInput(schema, right, ...wrong)).toEqual([0, 1, 1]);
  });

  it("declares enums, constants, unions and nullable types", async () => {
    const schema = of({
      unit: { enum: ["km", "mile", 1, null] },
      kind: { const: 'it\'s "quoted"' },
      size: { type: ["number", "null"] },
      place: { oneOf: [of({ city: { type: "string" } }), { type: "string" }] },
      maybe: { ...of({ a: { type: "string" } }), nullable: true },
      many: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
    });
    expect(
      await withInput(
        schema,
        `const unit: "km" | "mile" | 1 | null = input.unit;
         const kind: "it's \\"quoted\\"" = input.kind;
         const size: number | null = input.size;
         const city: string = typeof input.place === "string" ? input.place : input.place.city;
         const maybe: string | undefined = input.maybe?.a;
         const many: (string | number)[] = input.many;`,
        `const unit: "km" = input.unit;`,
      ),
    ).toEqual([0, 1]);
  });

  it("declares arrays, tuples, maps and nested objects", async () => {
    const schema = of({
      list: { type: "array", items: { type: "array", items: { type: "string" } } },
      pair: {
        type: "array",
        prefixItems: [{ type: "string" }, { type: "number" }],
        items: false,
        minItems: 2,
      },
      open: { type: "array", prefixItems: [{ type: "string" }] },
      map: { type: "object", additionalProperties: { type: "number" } },
      deep: of({ inner: of({ value: { type: "null" } }) }),
      anything: { type: "object" },
      nothing: { type: "object", additionalProperties: false },
      all: { allOf: [of({ a: { type: "string" } }), of({ b: { type: "number" } })] },
    });
    expect(
      await withInput(
        schema,
        `const list: string[][] = input.list; const pair: [string, number] = input.pair;
         const open: [string?, ...unknown[]] = input.open; const count: number | undefined = input.map["a"];
         const value: null = input.deep.inner.value; const any: unknown = input.anything["x"];
         const none: Record<string, never> = input.nothing;
         const both: { a: string; b: number } = input.all;`,
      ),
    ).toEqual([0]);
  });

  it("follows references, including recursive ones", async () => {
    const tree: JsonObject = {
      $anchor: "tree",
      type: "object",
      properties: {
        value: { type: "string" },
        children: { type: "array", items: { $ref: "#/$defs/tree" } },
      },
      required: ["value", "children"],
    };
    const schema = of(
      {
        tree: { $ref: "#tree" },
        list: { $ref: "#/$defs/list" },
        again: { anyOf: [{ $ref: "#" }, { type: "null" }] },
        lost: { $ref: "#/$defs/none" },
        round: { $ref: "#/$defs/a" },
        self: { $ref: "#/$defs/self" },
        json: { $ref: "#/$defs/json" },
      },
      {
        $defs: {
          tree,
          list: { anyOf: [{ type: "null" }, of({ next: { $ref: "#/$defs/list" } })] },
          a: { $ref: "#/$defs/b" },
          b: { $ref: "#/$defs/a" },
          self: { anyOf: [{ $ref: "#/$defs/self" }, { type: "string" }] },
          json: {
            anyOf: [
              { type: ["string", "number", "boolean", "null"] },
              { type: "array", items: { $ref: "#/$defs/json" } },
              { type: "object", additionalProperties: { $ref: "#/$defs/json" } },
            ],
          },
        },
      },
    );
    expect(
      await withInput(
        schema,
        `const value: string | undefined = input.tree.children[0]?.children[0]?.value;
         const next: unknown = input.list?.next?.next; const own: string | undefined = input.again?.again?.tree.value;
         const lost: unknown = input.lost; const round: unknown = input.round; const self: unknown = input.self;
         const json = input.json; const first = Array.isArray(json) ? json[0] : json;`,
      ),
    ).toEqual([0]);
  });

  it("keeps hostile names and descriptions inside literals and comments", async () => {
    const hostile = "*/ } declare const stolen: string; /* \u2028 // ${x} ` \\";
    const schema = of(
      {
        [hostile]: { type: "string", description: hostile },
        __proto__x: { const: hostile },
        'quote"]: never; [': { enum: [hostile, "\n", "\ud800"] },
        "": { $ref: `#/$defs/${hostile.replaceAll("/", "~1")}` },
        toString: { type: "number", description: "*".repeat(5_000) },
      },
      { description: hostile, $defs: { [hostile]: { type: "string", description: hostile } } },
    );
    const credentials = [{ name: hostile, description: hostile }, { name: "KEY" }];
    const outputSchema = { properties: [{ name: hostile, type: "string", description: hostile }] };
    const code = tool("const key: string = ctx.credentials.KEY; const n: number = input.toString;");
    const definition = { inputSchema: schema, outputSchema, credentials };
    const errorCounts = await countErrors([
      { definition, code },
      { definition, code: tool("stolen;") },
    ]);
    expect(errorCounts).toEqual([0, 1]);
  });

  it("escapes the end of a comment after removing characters", async () => {
    const texts = separators.flatMap((separator) => [
      `*${separator}/ a: 1 }; globalThis.stolen = 1; type Other = { /*`,
      `**${separator}//*${separator}/ a: 1 }; globalThis.stolen = 1; type Other = { /*`,
    ]);
    const schema = (text: string): JsonObject => ({
      title: text,
      description: text,
      properties: {
        [text]: { description: text, title: text, enum: [text], format: text },
        reference: { $ref: `#/$defs/${text.replaceAll("~", "~0").replaceAll("/", "~1")}` },
      },
      $defs: { [text]: { const: text, description: text } },
    });
    for (const text of texts) {
      const types = toolTypes({
        inputSchema: schema(text),
        outputSchema: { properties: [{ name: text, type: "string", description: text }] },
        credentials: [{ name: text, description: text }],
        fileFields: [text],
      });
      expect(await globalsSetBy(types)).toEqual([]);
    }
  });

  it("limits the size, and accepts values that are not schemas", async () => {
    const nested = (depth: number): JsonObject =>
      depth === 0 ? { type: "string" } : of({ a: nested(depth - 1), b: nested(depth - 1) });
    const wide = of(
      Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { type: "string" }])),
    );
    const doubling: JsonObject = {
      $ref: "#/$defs/d0",
      $defs: Object.fromEntries(
        Array.from({ length: 500 }, (_, at) => [
          `d${at}`,
          { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
        ]),
      ),
    };
    const large = [nested(14), wide, doubling];
    for (const inputSchema of large) {
      expect(toolTypes({ inputSchema }).length).toBeLessThan(600_000);
    }
    const odd = [
      undefined,
      null,
      1,
      "x",
      [],
      { type: 5, properties: [], required: "no", enum: {}, items: 3 },
    ];
    const definitions = [
      ...large.map((inputSchema) => ({ inputSchema })),
      ...odd.map((each) => {
        return { inputSchema: each, outputSchema: each, credentials: each, fileFields: each };
      }),
    ];
    const code = tool("const value: unknown = input;");
    expect(await countErrors(definitions.map((definition) => ({ definition, code })))).toEqual(
      definitions.map(() => 0),
    );
  });

  it("describes file fields", () => {
    const inputSchema = of({ picture: { type: "string", description: "A picture." } });
    const types = toolTypes({ inputSchema, fileFields: ["picture"] });
    expect(types).toContain("A picture.\n   *\n   * File ID. Open the file with `ctx.files.open`.");
  });
});

describe("toolTypes for an output and a context", () => {
  it("declares the output with undeclared properties as unknown", async () => {
    const outputSchema = {
      properties: [
        { name: "text", type: "string", description: "A text." },
        { name: "count", type: "integer", optional: true },
        { name: "list", type: "array" },
        { name: "rest", type: "any" },
        { name: "often", type: "integer", optional: true, lenient: true },
      ],
    };
    const answers = [
      `{ text: "a", list: [], rest: 1, often: "never" }`,
      `{ text: "a", list: [1], rest: null, more: 1 }`,
      `{ text: 1, list: [], rest: 1 }`,
      `{ list: [], rest: 1 }`,
    ];
    const cases = answers.map((value) => ({
      definition: { outputSchema },
      code: `export default async (): Promise<Output> => (${value});`,
    }));
    expect(await countErrors(cases)).toEqual([0, 0, 1, 1]);
  });

  it("declares the documented context with the declared credentials", async () => {
    expect(`${toolContextText}\n`).toBe(await readContextDeclaration());
    const credentials = [{ name: "API_KEY", description: "The key." }];
    const body = `const key: string = ctx.credentials.API_KEY;
      ctx.progress(0.5, "half"); const file = await ctx.files.open("id"); const text: string = await file.text();`;
    const errorCounts = await countErrors([
      { definition: { credentials }, code: tool(body) },
      { definition: { credentials }, code: tool("ctx.credentials.OTHER;") },
      { definition: {}, code: tool("ctx.credentials.API_KEY;") },
    ]);
    expect(errorCounts).toEqual([0, 1, 1]);
  });
});
