import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { globalsSetBy, separators } from "../../tool-schema/testing/compile-types.ts";
import { generateTypes } from "./generate-types.ts";
import type { TypedTool } from "./generate-types.ts";
import { nameFunctions } from "./tool-names.ts";

const root = join(import.meta.dirname, "../..");

/** Compiles code that uses the generated module in strict mode. Returns the number of errors of each, and of the module. */
async function countErrors(tools: readonly TypedTool[], codes: readonly string[]) {
  // Below this folder, so that the compiler finds the package.
  const folder = await mkdtemp(join(import.meta.dirname, "../.test-"));
  try {
    const compilerOptions = {
      noEmit: true,
      composite: false,
      emitDeclarationOnly: false,
      types: [],
    };
    const config = { extends: join(root, "tsconfig.base.json"), compilerOptions };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        ...config,
        compilerOptions: { ...compilerOptions, lib: ["esnext", "dom"] },
      }),
    );
    await writeFile(join(folder, "tools.ts"), generateTypes(tools));
    for (const [index, code] of codes.entries()) {
      const head = `import { createClient } from "@toolhost/client";
        import { createTools } from "./tools.ts";
        const tools = createTools(createClient());\n`;
      await writeFile(join(folder, `code-${index}.ts`), head + code);
    }
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const args = [compiler, "-p", folder, "--pretty", "false"];
    const output = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).then(
      ({ stdout }) => stdout,
      (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : ""),
    );
    const inModule = output.split("\n").filter((line) => /tools\.ts\(|^error |sdk\/src/.test(line));
    expect(inModule).toEqual([]);
    return codes.map((_, index) => output.split(`code-${index}.ts(`).length - 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const tool = (name: string, more: Partial<TypedTool> = {}): TypedTool => ({
  name,
  description: "A tool.",
  inputSchema: { type: "object" },
  outputSchema: { properties: [] },
  fileFields: [],
  ...more,
});

describe("generateTypes", () => {
  it("declares a function per tool, with its input and output", async () => {
    const number = { type: "number" };
    const tools = [
      tool("add_numbers_x7k2", {
        inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
        outputSchema: { properties: [{ name: "sum", type: "number", description: "" }] },
      }),
      tool("read_files_ab12", {
        inputSchema: {
          type: "object",
          properties: {
            report: { type: "string" },
            more: { type: "array", items: { type: "string" } },
            limit: number,
          },
          required: ["report"],
        },
        fileFields: ["report", "more"],
      }),
      tool("3d_model_ab12"),
      tool("list_ab12", { inputSchema: { type: "object", properties: { limit: number } } }),
    ];
    const right = `const { sum } = await tools.addNumbers({ a: 1, b: 2 }, { timeoutMs: 5 });
      const n: number = sum;
      await tools.readFiles({ report: new Blob(["x"]), more: ["id", new Blob([])], limit: 1 });
      await tools["3dModel"]({ any: 1 });
      await tools.list(); await tools.list({ limit: 1 });
      export const input: import("./tools.ts").AddNumbers.Input = { a: n, b: 1 };`;
    const wrong = [
      "await tools.addNumbers({ a: 1 });",
      'await tools.addNumbers({ a: "1", b: 2 });',
      "await tools.addNumbers();",
      "(await tools.addNumbers({ a: 1, b: 2 })).sum.trim();",
      "await tools.readFiles({ report: 1 });",
      "await tools.readFiles({ report: 'id', limit: new Blob([]) });",
      "await tools.addNumber({ a: 1, b: 2 });",
    ];
    expect(await countErrors(tools, [right, ...wrong])).toEqual([0, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("compiles for tools whose names, texts and schemas are hostile", async () => {
    const evil = "*/ } } export const stolen = 1; /* \u2028 ${x} ` \\ \" ' \n//";
    const hostile: TypedTool["inputSchema"] = {
      type: "object",
      description: evil,
      properties: {
        [evil]: { type: "string", description: evil, enum: [evil, "\ud800"] },
        self: { $ref: "#" },
        evil: { $ref: `#/$defs/${evil.replaceAll("/", "~1")}` },
      },
      required: [evil],
      $defs: { [evil]: { type: "object", description: evil, properties: { self: { $ref: "#" } } } },
    };
    const choices = (letter: string) => ({
      anyOf: Array.from({ length: 300 }, (_, at) => ({
        type: "object",
        properties: { [`${letter}${at}`]: { const: at } },
        required: [`${letter}${at}`],
      })),
    });
    const wide = Array.from(
      { length: 20_000 },
      (_, at) => [`property${at}`, { type: "string" }] as const,
    );
    const nested = (depth: number): object =>
      depth === 0
        ? {}
        : { type: "object", properties: { a: nested(depth - 1), b: nested(depth - 1) } };
    const tools = [
      tool(evil, { inputSchema: hostile, description: evil, fileFields: [evil] }),
      tool("huge_ab12", { inputSchema: { type: "object", properties: Object.fromEntries(wide) } }),
      tool("deep_ab12", { inputSchema: nested(14) as TypedTool["inputSchema"] }),
      tool("references_ab12", {
        inputSchema: {
          allOf: ["a", "b", "c"].map((name) => ({ $ref: `#/$defs/${name}` })),
          $defs: { a: choices("a"), b: choices("b"), c: choices("c") },
        },
      }),
      tool("product_ab12", { inputSchema: { allOf: [choices("a"), choices("b"), choices("c")] } }),
      tool("odd_ab12", {
        inputSchema: { type: 5, properties: [], required: "no" },
        outputSchema: { properties: [{ name: evil, type: "string", description: evil }] },
      }),
      ...["constructor_ab12", "then_ab12", "promise_ab12", "record_ab12", "tools_ab12"].map(
        (name) => tool(name),
      ),
      ...["toolhost_ab12", "__proto___ab12", "create_tools_ab12", "delete_ab12"].map((name) =>
        tool(name),
      ),
    ];
    const text = generateTypes(tools);
    expect(text.length).toBeLessThan(1_500_000);
    const codes = ["void tools;", 'import { stolen } from "./tools.ts"; void [tools, stolen];'];
    expect(await countErrors(tools, codes)).toEqual([0, 1]);
  });
});

describe("a generated module", () => {
  it("runs no code from a tool's texts, whatever characters they contain", async () => {
    const closers = ["}; globalThis.stolen = 1; export type Other = { /*"];
    closers.push("a: 1 } } globalThis.stolen = 1; declare namespace Other { type A = { /*");
    const texts = closers.flatMap((end) =>
      separators.map((separator) => `Adds. *${separator}/ ${end}`),
    );
    for (const text of texts) {
      const source = generateTypes([
        tool(text, {
          description: text,
          inputSchema: {
            type: "object",
            title: text,
            description: text,
            properties: {
              [text]: { type: "string", title: text, description: text, enum: [text] },
            },
          },
          outputSchema: { properties: [{ name: text, type: "string", description: text }] },
          fileFields: [text],
        }),
      ]);
      expect(await globalsSetBy(source, join(import.meta.dirname, ".."))).toEqual([]);
    }
  });
});

describe("nameFunctions", () => {
  const namesOf = (...names: string[]) => [...nameFunctions(names).values()];

  it("leaves out the suffix where no other tool has the same name", () => {
    expect(namesOf("add_numbers_x7k2", "convert_ab12")).toEqual(["addNumbers", "convert"]);
    expect(namesOf("add_ab12", "add_cd34", "sub_ab12")).toEqual(["addAb12", "addCd34", "sub"]);
  });

  it("returns different names for any tools", () => {
    const tools = [
      "a_1b_ab12",
      "a1b_ab12",
      "a_b_ab12",
      "a_ab12",
      "a_ab12_ab12",
      "then_ab12",
      "a1b_ab12_ab12",
      "aAb12",
    ];
    const names = namesOf(...tools);
    expect(new Set(names).size).toBe(tools.length);
    expect(names).not.toContain("then");
  });
});
