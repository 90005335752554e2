import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressOf } from "./seed/find-server.ts";
import { dialect } from "./src/database.ts";
import { endService, findFreePort, spawnService, whenReady } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";

describe("addressOf", () => {
  const first = "http://localhost:3001";

  it.each([
    [{ TOOLHOST_URL: "http://localhost:1", BASE_URL: "http://localhost:2" }, "http://localhost:1"],
    [{ BASE_URL: "http://localhost:2", PORT: "3" }, "http://localhost:2"],
    [{ PORT: "3" }, "http://localhost:3"],
    [{ PORT: "" }, first],
  ])("prefers %o to what was written at the first start", (environment, expected) => {
    expect(addressOf(environment, first)).toBe(expected);
  });
});

describe.skipIf(dialect !== "sqlite")("npm run seed", () => {
  let folder: string;
  let service: ReadyService;
  let port: number;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolhost-seed-"));
    port = await findFreePort();
    const settings = {
      PORT: String(port),
      DATA_DIR: folder,
      BASE_URL: "https://tools.example.com",
    };
    service = await whenReady(spawnService(folder, settings));
  });
  afterAll(async () => {
    await endService(service, "SIGTERM");
    await rm(folder, { recursive: true });
  });

  const seed = (settings: Record<string, string>, ...args: string[]) => {
    const { PATH = "" } = process.env;
    const env = { PATH, DATA_DIR: folder, ...settings };
    const file = join(import.meta.dirname, "seed/run.ts");
    const done = spawnSync(process.execPath, [file, ...args], { cwd: folder, env });
    return { status: done.status, printed: String(done.stdout) + String(done.stderr) };
  };

  it("refuses a server whose public address is not on this machine", () => {
    const { status, printed } = seed({ TOOLHOST_URL: `http://127.0.0.1:${port}` });
    expect(status).toBe(1);
    expect(printed).toContain("serves https://tools.example.com, which is not on this machine");
  });

  it("says where no service answers", async () => {
    const PORT = String(await findFreePort());
    const printed = `No service answers at http://localhost:${PORT}. Start it, or set TOOLHOST_URL.\n`;
    expect(seed({ PORT })).toEqual({ status: 1, printed });
  });

  it.each([["--help"], ["5", "6"]])("prints its usage for %s", (...args) => {
    expect(seed({}, ...args)).toEqual({ status: 2, printed: "Usage: npm run seed [-- RUNS]\n" });
  });
});
