import { execFile, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { shippedProgram } from "@toolhost/sandbox";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, startChromium } from "./src/browser.ts";
import { expectedUse, installClient } from "./src/client-package.ts";
import type { ClientProject } from "./src/client-package.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { findFreePort } from "./src/service-process.ts";
import { until } from "./src/until.ts";

/** Serves a page of another origin than that of the service. */
const pageServer = createServer();

let pageOrigin: string;
let server: Server;
let project: ClientProject;
let target: { baseUrl: string; apiKey: string; tool: string };

beforeAll(async () => {
  const pagePort = await findFreePort();
  pageOrigin = `http://localhost:${pagePort}`;
  pageServer.listen(pagePort, "127.0.0.1");
  server = await startServer({ CORS_ALLOWED_ORIGINS: pageOrigin });
  const tool = await server.makeTool("export default ({ n }) => ({ doubled: n * 2 })");
  target = { baseUrl: server.baseUrl, apiKey: server.apiKey, tool };
  project = await installClient();
});
afterAll(async () => {
  pageServer.close();
  await server?.stop();
  await project?.remove();
});

const expectUse = (text: string) => {
  const { events, ...rest } = JSON.parse(text) as { events: string[] };
  expect(events.at(-1)).toBe("end");
  expect(rest).toEqual(expectedUse);
};

async function checkTypes(config: object): Promise<void> {
  await writeFile(join(project.folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
  const checked = promisify(execFile)(process.execPath, [compiler, "-p", project.folder]);
  expect(await checked.catch((error: unknown) => error)).toMatchObject({ stdout: "" });
}

/** The Node.js of the machine, and not that of this repository. */
const searchPath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);

/** Bundles `useClient` for a runtime like the tools of its users, with more code in the entry. */
async function bundle(code: string, format: "esm" | "iife", conditions: string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: project.folder },
    bundle: true,
    write: false,
    format,
    platform: "browser",
    conditions,
  });
  return outputFiles[0]?.text ?? "";
}

describe("the packed client", () => {
  test("has no dependencies, and fewer than 300 kB", async () => {
    const folder = join(project.folder, "node_modules/@toolhost/client");
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as object;
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("scripts");
    const { stdout } = await promisify(execFile)("du", ["-sb", folder]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(300_000);
  });

  test("works on the Node.js of this repository and of the machine", async () => {
    const program = await project.writeProgram("program.mjs", target);
    const run = (node: string) =>
      promisify(execFile)(node, [program], { env: { ...process.env, PATH: searchPath } });
    expectUse((await run(process.execPath)).stdout);
    expectUse((await run("node")).stdout);
  });

  test("uploads a file of the machine", async () => {
    const code = `import { createClient } from "@toolhost/client";
      import { uploadPath } from "@toolhost/client/node";
      const client = createClient(${JSON.stringify(target)});
      console.log(JSON.stringify(await uploadPath(client, "package.json", { mimeType: "application/json" })));`;
    const program = join(project.folder, "upload.mjs");
    await writeFile(program, code);
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      cwd: project.folder,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      fileName: "package.json",
      mimeType: "application/json",
    });
  });

  test.each(["nodenext", "bundler"])(
    "has types for moduleResolution %s",
    async (moduleResolution) => {
      const code = `import { createClient, isApiError, verifyWebhook } from "@toolhost/client";
      import type { ApiError } from "@toolhost/client";
      import { generateTypes } from "@toolhost/client/generate-types";
      const client = createClient({ baseUrl: "http://localhost:3000", apiKey: async () => "key" });
      const { sum } = await client.run<{ sum: number }>("add_ab12", { a: 1 });
      export const text: string = sum.toFixed() + generateTypes([]);
      for await (const run of client.runs.list({ status: "failed" })) run.toolName.trim();
      const error: unknown = await client.request("GET /me").catch((caught: unknown) => caught);
      if (isApiError(error, "credentials_missing")) error.missing[0]?.connectUrl.trim();
      export const wide = (one: ApiError) => isApiError(one) && one.code === "internal";
      await verifyWebhook({ payload: "", headers: new Headers(), secret: "" });
      // @ts-expect-error -- there is no such route
      await client.request("GET /nothing");
      // @ts-expect-error -- there is no such code
      isApiError(error, "none");
      // @ts-expect-error -- the body lacks fields
      await client.request("POST /tools", { body: { title: "A tool" } });\n`;
      await writeFile(join(project.folder, "types.ts"), code);
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: "es2022",
        lib: ["esnext", "dom"],
        module: moduleResolution === "bundler" ? "esnext" : "nodenext",
        moduleResolution,
        types: [],
      };
      const config = { compilerOptions, files: ["types.ts"] };
      await writeFile(join(project.folder, "tsconfig.json"), JSON.stringify(config));
      const compiler = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
      const checked = promisify(execFile)(process.execPath, [compiler, "-p", project.folder]);
      expect(await checked.catch((error: unknown) => error)).toMatchObject({ stdout: "" });
    },
  );

  test("runs the code of the documentation", async () => {
    const page = join(import.meta.dirname, "../docs/connect/use-typescript.md");
    const blocks = (await readFile(page, "utf8")).matchAll(/^```ts\n([\s\S]*?)^```/gm);
    const code = [...blocks].map(([, block = ""]) => block).join("\n");
    // The page declares a function that a program would export.
    await writeFile(join(project.folder, "page.ts"), `${code}\nexport { receive };\n`);
    const types = [join(import.meta.dirname, "../node_modules/@types/node")];
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: "esnext",
      module: "nodenext",
      types,
    };
    const env = { ...process.env, TOOLHOST_URL: target.baseUrl, TOOLHOST_API_KEY: target.apiKey };
    const args = [join(project.folder, "page.ts")];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env,
      cwd: project.folder,
    });
    expect(stdout).toContain("words: 2");
    expect(stdout).toContain("completed");
    // With the file that the page generates.
    await checkTypes({ compilerOptions, files: ["page.ts", "tools.ts"] });
    expect(await readFile(join(project.folder, "tools.ts"), "utf8")).toContain(
      "textStatistics(input",
    );
  });

  test("works in workerd", async () => {
    const code = `import { useClient } from "./use-client.js";
      export default {
        fetch: async () => Response.json(await useClient(${JSON.stringify(target)})),
      };`;
    const worker = await bundle(code, "esm", ["workerd", "worker", "browser"]);
    await writeFile(join(project.folder, "worker.js"), worker);
    const port = await findFreePort();
    const config = `using Workerd = import "/workerd/workerd.capnp";
      const config :Workerd.Config = (
        services = [
          (name = "main", worker = (
            modules = [(name = "worker.js", esModule = embed "worker.js")],
            compatibilityDate = "2025-01-01",
          )),
          (name = "internet", network = (allow = ["local", "private", "public"])),
        ],
        sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
      );`;
    await writeFile(join(project.folder, "worker.capnp"), config);
    const args = ["serve", join(project.folder, "worker.capnp")];
    const workerd = spawn(shippedProgram("workerd"), args, { stdio: "inherit" });
    try {
      const response = await until("workerd listens", 20_000, () =>
        fetch(`http://127.0.0.1:${port}/`).catch(() => undefined),
      );
      expectUse(await response.text());
    } finally {
      workerd.kill();
    }
  });

  test.skipIf(!hasBrowser)(
    "works on a page of another origin in Chromium",
    { tags: ["nightly"] },
    async () => {
      const code = `import { useClient } from "./use-client.js"; window.useClient = useClient;`;
      const script = await bundle(code, "iife", ["browser"]);
      const browser = await startChromium();
      try {
        const page = await browser.newPage();
        const body = `<script>${script.replaceAll("</script", String.raw`<\/script`)}</script>`;
        pageServer.on("request", (_, response) => {
          response.setHeader("content-type", "text/html").end(body);
        });
        await page.goto(pageOrigin);
        const call = `useClient(${JSON.stringify(target)}).then(JSON.stringify)`;
        expectUse(await page.evaluate<string>(call));
      } finally {
        await browser.close();
      }
    },
  );
});
