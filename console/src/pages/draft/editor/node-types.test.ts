import { describe, expect, test } from "vitest";
import { createCompiler } from "./compiler/create-compiler.ts";
import { declarationsOf } from "./declarations.ts";
import { nodeTypes } from "./node-types.ts";

const files = new Map([...nodeTypes, ["file:///tool-types.d.ts", declarationsOf({}, [])] as const]);
let version = 0;

// The same compiler options as in the editor.
const service = createCompiler(
  files,
  {
    moduleResolution: 100,
    types: [],
    lib: [
      "lib.esnext.d.ts",
      "lib.webworker.d.ts",
      "lib.webworker.iterable.d.ts",
      "lib.webworker.asynciterable.d.ts",
    ],
    esModuleInterop: true,
  },
  (name) => (name === "tool.ts" ? String(version) : "1"),
);

function problemsOf(code: string): unknown[] {
  files.set("tool.ts", code);
  version += 1;
  return service.getSemanticDiagnostics("tool.ts").map(({ messageText }) => messageText);
}

describe("the editor with the Node.js types of the sandbox", { timeout: 60_000 }, () => {
  test("accepts Node.js modules used together with web APIs", () => {
    const code = `
      import { createHash, randomUUID } from "node:crypto";
      import { createWriteStream } from "node:fs";
      import { readFile } from "node:fs/promises";
      import http from "node:http";
      import { Readable } from "node:stream";
      import { pipeline } from "node:stream/promises";
      import path from "path";
      import { promisify } from "node:util";
      import { gzip } from "node:zlib";
      export default async (input: Input, ctx: Context) => {
        const packed = await promisify(gzip)(Buffer.from("text"));
        const digest: string = createHash("sha256").update(packed).digest("hex");
        const response = await fetch("https://example.com", { signal: ctx.signal, body: packed });
        for await (const chunk of Readable.fromWeb(response.body!)) console.log(chunk);
        await crypto.subtle.digest("SHA-256", packed);
        const text: string = await readFile(path.join("/tmp", randomUUID()), "utf8");
        http.get("http://example.com", ({ statusCode }) => console.log(statusCode));
        await pipeline(Readable.from(["a"]), createWriteStream("/tmp/a"));
        setTimeout(() => {}, 1).unref();
        return { digest, text, up: process.uptime() };
      };`;
    expect(nodeTypes.size).toBe(46);
    expect(problemsOf(code)).toEqual([]);
  });

  test("reports wrong uses", () => {
    const wrong = `import { createHash } from "node:crypto"; createHash(1); Buffer.nothing;`;
    expect(problemsOf(wrong)).toEqual([
      expect.stringContaining("'number' is not assignable to parameter of type 'string'"),
      expect.stringContaining("Property 'nothing' does not exist"),
    ]);
  });

  test("uses the type any for modules that the sandbox does not have", () => {
    expect(problemsOf(`import { spawn } from "node:child_process"; spawn(1).nothing;`)).toEqual([]);
  });
});
