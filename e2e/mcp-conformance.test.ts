import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTokenProxy } from "./src/mcp-proxy.ts";
import type { TokenProxy } from "./src/mcp-proxy.ts";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const suite = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/conformance/dist/index.js",
);
const latest = "2026-07-28";
const revisions = process.env["TEST_ALL"] === "1" ? (["2025-11-25", latest] as const) : [latest];

let server: Server;
let proxy: TokenProxy;

beforeAll(async () => {
  server = await startServer({ CONFORMANCE: "1" });
  proxy = await startTokenProxy(server.baseUrl, server.apiKey);
});
afterAll(async () => {
  proxy?.close();
  await server?.stop();
});

/** Runs the scenarios of the official suite that a revision requires. */
async function runSuite(url: string, revision: string, ...more: string[]) {
  const args = [suite, "server", "--url", url, "--requirements", revision, ...more];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once("exit", resolve));
  const [required = ""] = output.split("Not scored for");
  const passed = [...required.matchAll(/^✓ (\S+):/gm)].length;
  return { code, output, passed };
}

describe.each(revisions)("the conformance suite for %s", (revision) => {
  test("passes with its fixtures", proves("mcp.conformance", "mcp.revisions"), async () => {
    const { code, output, passed } = await runSuite(`${server.baseUrl}/conformance/mcp`, revision);
    expect({ code, output }).toEqual({ code: 0, output });
    expect(passed).toBeGreaterThanOrEqual(revision === "2025-11-25" ? 30 : 37);
  });

  test(
    "passes without the fixtures, except for the tests that need them",
    { ...proves("mcp.conformance"), tags: ["nightly"] },
    async () => {
      const baseline = join(import.meta.dirname, `mcp-baseline-${revision}.yml`);
      const url = `${proxy.url}/api/mcp`;
      const { code, output } = await runSuite(url, revision, "--expected-failures", baseline);
      expect({ code, output }).toEqual({ code: 0, output });
    },
  );
});

test(
  "serves the fixtures only with CONFORMANCE=1, and never in production",
  { tags: ["nightly"] },
  async () => {
    await server.end("SIGTERM");
    await server.startAgain({ CONFORMANCE: "0" });
    const answer = await fetch(`${server.baseUrl}/conformance/mcp`, { method: "POST" });
    expect(answer.status).toBe(404);
    await server.end("SIGTERM");
    await expect(server.startAgain({ CONFORMANCE: "1", NODE_ENV: "production" })).rejects.toThrow(
      "NODE_ENV=production",
    );
  },
);
