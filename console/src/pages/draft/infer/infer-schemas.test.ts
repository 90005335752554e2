import { typescript } from "monaco-editor/languages/features/typescript/lib/typescriptServices.js";
import { toolTypes } from "@toolhost/tool-schema";
import { describe, expect, test } from "vitest";
import { createCompiler } from "../editor/compiler/create-compiler.ts";
import { inferSchemas } from "./infer-schemas.ts";

const files = new Map<string, string>();
let version = 0;

const service = createCompiler(
  files,
  { lib: ["lib.esnext.d.ts", "lib.webworker.d.ts"], allowJs: true, checkJs: true },
  (name) => (files.has(name) ? String(version) : "1"),
);

function infer(code: string, name = "tool.ts") {
  files.clear();
  files.set(name, code);
  version += 1;
  return inferSchemas(typescript, service.getProgram(), name);
}

describe("inferSchemas", { timeout: 30_000 }, () => {
  test("reads the first parameter and the return type", () => {
    const { inputSchema, outputSchema, notes } = infer(`
      type Input = {
        /** Where to look. */
        city: string;
        /**
         * How many days.
         * @integer
         * @minimum 1
         * @default 3
         */
        days?: number;
        unit: "c" | "f" | null;
        tags: string[];
        nested: { deep: boolean; [more: string]: unknown };
      };
      export default async ({ city }: Input): Promise<{ summary: string; degrees?: number[] }> =>
        ({ summary: city });
    `);
    expect(notes).toEqual([]);
    expect(inputSchema).toEqual({
      type: "object",
      properties: {
        city: { type: "string", description: "Where to look." },
        days: { type: "integer", description: "How many days.", minimum: 1, default: 3 },
        unit: { type: ["string", "null"], enum: ["c", "f", null] },
        tags: { type: "array", items: { type: "string" } },
        nested: {
          type: "object",
          properties: { deep: { type: "boolean" } },
          required: ["deep"],
          additionalProperties: {},
        },
      },
      required: ["city", "unit", "tags", "nested"],
      additionalProperties: false,
    });
    expect(outputSchema).toEqual({
      properties: [
        { name: "summary", type: "string", description: "" },
        {
          name: "degrees",
          type: "array",
          description: "",
          optional: true,
          items: { type: "number" },
        },
      ],
    });
  });

  test("supports recursive types, tuples and unions", () => {
    const { inputSchema } = infer(`
      type Place = { name: string; near: Place[] };
      type Shape = { kind: "circle"; radius: number } | { kind: "box"; sides: [number, number] };
      export default (input: { place: Place; shape: Shape }) => ({ ok: true });
    `);
    expect(inputSchema).toMatchObject({
      properties: {
        place: { $ref: "#/$defs/Place" },
        shape: {
          anyOf: [
            { properties: { kind: { const: "circle" } } },
            { properties: { sides: { minItems: 2, items: false } } },
          ],
        },
      },
      $defs: { Place: { properties: { near: { items: { $ref: "#/$defs/Place" } } } } },
    });
    const root = infer("type Node = { next?: Node }; export default (node: Node) => ({});");
    expect(root.inputSchema).toMatchObject({
      type: "object",
      properties: { next: { $ref: "#/$defs/Node" } },
    });
  });
});

describe("inferSchemas from uses", { timeout: 30_000 }, () => {
  const inferUses = (code: string) => {
    files.clear();
    files.set(
      "tool-types.d.ts",
      toolTypes({ inputSchema: { type: "object" }, outputSchema: { properties: [] } }),
    );
    files.set("tool.ts", code);
    version += 1;
    return inferSchemas(typescript, service.getProgram(), "tool.ts");
  };

  test("reads members, destructuring and defaults, with types from what the code does", () => {
    const { inputSchema, isInputFromUses, notes } = inferUses(`
      export default async (input: Input) => {
        const { limit = 10, customer, "odd-name": odd, ...rest } = input;
        for (const tag of input.tags) console.log(tag);
        if (!input.isPaid) throw new Error("no");
        const other = { orderId: 5 };
        console.log(customer.trim(), other.orderId, odd);
        const note = input.note ?? "none";
        return { total: input["price"] * 2, page: await fetch(input.url), id: input.orderId, note, rest };
      };
    `);
    expect(isInputFromUses).toBe(true);
    expect(inputSchema).toEqual({
      type: "object",
      properties: {
        limit: { type: "number" },
        customer: { type: "string" },
        "odd-name": { type: "string" },
        tags: { type: "array" },
        isPaid: { type: "boolean" },
        note: { type: "string" },
        price: { type: "number" },
        url: { type: "string" },
        orderId: { type: "string" },
      },
      required: ["customer", "odd-name", "tags", "isPaid", "price", "url", "orderId"],
    });
    const open = notes.map(({ path }) => path).filter((path) => path.startsWith("input"));
    expect(open).toEqual(["input.odd-name", "input.orderId"]);
  });

  test("reads a destructured parameter, and not a variable of the same name", () => {
    const { inputSchema } = inferUses(`
      export default ({ orderId, retries = 3 }) => {
        const read = (input: { secret: string }) => input.secret;
        return { id: orderId.toUpperCase(), retries, read };
      };
    `);
    expect(inputSchema).toEqual({
      type: "object",
      properties: { orderId: { type: "string" }, retries: { type: "number" } },
      required: ["orderId"],
    });
  });
});

describe("inferSchemas notes", { timeout: 30_000 }, () => {
  test("lists types that JSON cannot represent, and any", () => {
    const { inputSchema, notes } = infer(`
      export default (input: { since: Date; big: bigint; any: any; call: () => void }) => ({});
    `);
    expect(Object.keys(inputSchema?.["properties"] ?? {})).toEqual(["since", "big", "any", "call"]);
    expect(notes.map(({ path }) => path)).toEqual([
      "input.since",
      "input.big",
      "input.any",
      "input.call",
    ]);
  });

  test("explains why there is no schema", () => {
    expect(infer("export const a = 1;").notes).toEqual([
      { path: "", message: "The code has no default export." },
    ]);
    expect(infer("export default 3;").notes[0]?.message).toMatch(/isn't a function/);
    const { inputSchema, outputSchema, notes } = infer("export default (input: any) => 3;");
    expect({ inputSchema, outputSchema }).toEqual({});
    expect(notes).toHaveLength(2);
  });

  test("does not infer a schema from the types that were generated from it", () => {
    const generated = toolTypes({
      inputSchema: { type: "object", properties: { old: { type: "string" } } },
      outputSchema: { properties: [{ name: "old", type: "string", description: "" }] },
    });
    const inferWith = (code: string) => {
      files.clear();
      files.set("tool-types.d.ts", generated);
      files.set("tool.ts", code);
      version += 1;
      return inferSchemas(typescript, service.getProgram(), "tool.ts");
    };
    const circular = inferWith("export default async (input: Input): Promise<Output> => input;");
    expect(circular).toEqual({
      notes: [
        { path: "input", message: "The code reads nothing from the input." },
        { path: "output", message: expect.stringContaining("generated from this schema") },
      ],
    });
    const half = inferWith("export default async ({ old }: Input) => ({ length: old?.length });");
    expect(half.isInputFromUses).toBe(true);
    expect(half.outputSchema).toMatchObject({ properties: [{ name: "length" }] });
    const own = inferWith(
      "type Input = { city: string }; export default (input: Input): { old: string } => ({ old: input.city });",
    );
    expect(own.notes).toEqual([]);
    expect(own.inputSchema).toMatchObject({ required: ["city"] });
  });

  test("reads JSDoc types in JavaScript", () => {
    const { inputSchema } = infer(
      `
      /** @param {{ city: string, days?: number }} input */
      export default async function report(input) { return { city: input.city }; }
      `,
      "tool.js",
    );
    expect(inputSchema).toMatchObject({
      properties: { city: { type: "string" }, days: { type: "number" } },
      required: ["city"],
    });
  });
});
