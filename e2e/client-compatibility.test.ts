import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientPackage } from "../packaging/client-package.ts";
import { writeContents } from "../packaging/write-contents.ts";
import { buildClient } from "../sdk/build.ts";
import { expectedUse, installClient } from "./src/client-package.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const folder = join(import.meta.dirname, "../sdk/compatibility");
const modules = join(folder, "node_modules");

let server: Server;
let target: { baseUrl: string; apiKey: string; doubler: string; broken: string; confirmed: string };

/** Runs a program in the folder. Its output is the error message if it fails. */
async function run(program: string, args: string[]): Promise<string> {
  const env = { ...process.env, TARGET: JSON.stringify(target) };
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  const timeOf = (file: string) =>
    statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (timeOf("node_modules/.package-lock.json") < timeOf("package-lock.json")) {
    await run("npm", ["ci", "--ignore-scripts", "--include=dev"]);
  }
  await buildClient();
  const client = join(modules, "@toolhost/client");
  await rm(client, { recursive: true, force: true });
  await writeContents(client, clientPackage());
  server = await startServer();
  const number = { type: "number" };
  const doubler = await server.makeTool("export default ({ n }) => ({ doubled: n * 2 })", {
    title: "Double a number",
    inputSchema: { type: "object", properties: { n: number }, required: ["n"] },
  });
  const confirmed = await server.makeTool("export default () => ({})", { confirm: true });
  const broken = await server.makeTool('export default () => { throw new Error("no luck") }');
  target = { baseUrl: server.baseUrl, apiKey: server.apiKey, doubler, broken, confirmed };
}, 600_000);
afterAll(() => server?.stop());

const tsc = (...args: string[]) =>
  run(process.execPath, [join(modules, "typescript/bin/tsc"), ...args]);

describe("a client generated from the OpenAPI document", () => {
  const generated = join(folder, "dist-generated");
  const generate = (name: string, ...args: string[]) =>
    run(process.execPath, [join(modules, name), ...args]);

  beforeAll(async () => {
    await rm(generated, { recursive: true, force: true });
    await mkdir(generated);
    const response = await fetch(`${server.baseUrl}/api/v1/openapi.json`);
    const document = join(generated, "openapi.json");
    await writeFile(document, await response.text());
    const types = join(generated, "openapi-typescript/schema.d.ts");
    await generate("openapi-typescript/bin/cli.js", document, "-o", types);
    await generate(
      "@hey-api/openapi-ts/bin/run.js",
      "-i",
      document,
      "-o",
      join(generated, "hey-api"),
    );
    const orval = join(generated, "orval/client.ts");
    await generate("orval/dist/bin/orval.mjs", "--input", document, "--output", orval);
  });

  test.each(["openapi-typescript", "hey-api", "orval"])("compiles with %s", async (name) => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2023",
      lib: ["esnext", "dom", "dom.iterable"],
      module: "esnext",
      moduleResolution: "bundler",
      types: ["node"],
    };
    const config = { compilerOptions, include: ["."] };
    await writeFile(join(generated, name, "tsconfig.json"), JSON.stringify(config));
    expect(await tsc("-p", join(generated, name))).toBe("");
  });

  test("creates a tool, runs it with a file, and reads its log", async () => {
    expect(JSON.parse(await run(process.execPath, ["use-generated.ts"]))).toEqual({
      output: { text: "QUIET" },
      logs: ["started"],
      download: "quiet",
    });
  });

  test("has the types that programs use, as do the adapters", async () => {
    expect(await tsc("-p", ".")).toBe("");
  });
});

describe("the adapter", () => {
  test.each(["ai-sdk", "langchain", "mastra", "openai-agents"])(
    "runs tools for %s",
    async (adapter) => {
      const printed = await run(process.execPath, [`adapters/${adapter}.ts`]);
      expect(JSON.parse(printed)).toEqual({
        output: { doubled: 42 },
        failure: expect.stringContaining("no luck") as string,
        isConfirmed: true,
      });
    },
  );
});

describe("the client", () => {
  test.each([
    ["Bun", "@oven/bun-linux-x64/bin/bun", []],
    ["Deno", "@deno/linux-x64-glibc/deno", ["run", "-A"]],
  ])("works on %s", async (_, program, args) => {
    const project = await installClient();
    try {
      const { doubler: tool, baseUrl, apiKey } = target;
      const file = await project.writeProgram("program.mjs", { baseUrl, apiKey, tool });
      const { stdout } = await promisify(execFile)(join(modules, program), [...args, file], {
        cwd: project.folder,
      });
      const { events, ...rest } = JSON.parse(stdout) as { events: string[] };
      expect(events.at(-1)).toBe("end");
      expect(rest).toEqual(expectedUse);
    } finally {
      await project.remove();
    }
  });
});
