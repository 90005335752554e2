import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { tamper } from "./src/tamper.ts";

const verifier = join(import.meta.dirname, "../server/src/verify-audit.ts");
const run = promisify(execFile);

let server: Server;
beforeAll(async () => {
  server = await startServer();
  const name = await server.makeTool("export default () => ({})");
  for (let count = 0; count < 5; count++) await server.run(name);
});
afterAll(() => server.stop());

/** Runs `npm run audit:verify` with the service's settings, and returns its output and exit code. */
async function verify(): Promise<{ code: number; stdout: string }> {
  const env = { PATH: process.env["PATH"], ...server.settings };
  try {
    const { stdout } = await run(process.execPath, [verifier], { cwd: server.workDir, env });
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  }
}

describe("the audit verifier", () => {
  test("verifies the chain while the service runs", proves("audit.verifier"), async () => {
    const { code, stdout } = await verify();
    expect(stdout).toMatch(
      new RegExp(`^workspace ${server.workspaceId}: \\d+ events, valid$`, "m"),
    );
    expect(code).toBe(0);
  });

  test("names the first broken link", proves("audit.verifier"), async () => {
    await tamper(server, "update audit_events set outcome = 'forged' where sequence = 3");
    const altered = await verify();
    expect(altered.stdout).toMatch(/INVALID at event 3 \(ID [0-9a-f-]{36}\): an event was altered/);
    expect(altered.code).toBe(1);
    await tamper(server, "delete from audit_events where sequence = 2");
    expect((await verify()).stdout).toMatch(/INVALID at event 2 .*missing/);
  });
});
