import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientPackage } from "../packaging/client-package.ts";
import { writeContents } from "../packaging/write-contents.ts";
import { buildClient } from "../sdk/build.ts";
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
  const installed = join(modules, ".package-lock.json");
  if (!existsSync(installed)) await run("npm", ["ci", "--ignore-scripts", "--include=dev"]);
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

describe("the adapters", () => {
  test("have the types of their frameworks", async () => {
    expect(await run(process.execPath, [join(modules, "typescript/bin/tsc"), "-p", "."])).toBe("");
  });

  test.each(["ai-sdk", "langchain", "mastra", "openai-agents"])(
    "run tools for %s",
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
