import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const docs = join(import.meta.dirname, "../docs");

/** The shell commands of a page that need no ID of the reader, for a server at another address. */
function commandsOf(page: string, server: Server): string {
  const text = readFileSync(join(docs, page), "utf8");
  const blocks = [...text.matchAll(/^```sh\n([^`]*?)^```/gm)].map(([, block = ""]) => block);
  return blocks
    .filter((block) => !/RUN_ID|npm start/.test(block))
    .join("\n")
    .replace("http://localhost:3000", server.baseUrl)
    .replaceAll("data/first-run.json", join(server.dataDir, "first-run.json"));
}

describe.skipIf(dialect !== "sqlite")("the shell of a reader of the guides", () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({}, { isFirst: true });
    // As on a server in use, so that a session must name its workspace.
    expectStatus(201, await server.callAsOwner("POST", "/workspaces", { name: "Second" }));
  });
  afterAll(() => server?.stop());

  /** Runs commands in a shell that stops at the first error. */
  const run = (script: string) =>
    promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
      env: { PATH: process.env["PATH"] },
    });

  test.each([
    ["get-started.md", '"status":"completed"'],
    ["tools/create-tools.md", '"output":{"sum":3}'],
  ])("prints the expected result for %s", async (page, expected) => {
    const { stdout } = await run(commandsOf(page, server));
    expect(stdout).toContain(expected);
  });

  test("prints a response without the expected property", async () => {
    const [define = ""] = /^field\(\) \{\n[^]*?^\}\n/m.exec(
      readFileSync(join(docs, "tools/create-tools.md"), "utf8"),
    ) ?? [""];
    const failed = await run(`${define} echo '{"detail":"Sign in."}' | field key`).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(String(failed)).toContain('{"detail":"Sign in."}');
  });
});
