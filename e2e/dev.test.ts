import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCall } from "./src/http.ts";
import { enter, readFirstRun } from "./src/sign-in.ts";
import { endService, findFreePort, spawnService, whenReady } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";

const root = join(import.meta.dirname, "..");
const seedFile = join(root, "e2e/seed/run.ts");
let folder: string;
let service: ReadyService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolhost-dev-"));
  const settings = {
    PORT: String(await findFreePort()),
    DATA_DIR: join(folder, "data"),
    LOG_LEVEL: "info",
  };
  service = await whenReady(spawnService(folder, settings, [], join(root, "console/dev.ts")));
});
afterAll(async () => {
  await endService(service, "SIGKILL");
  await rm(folder, { recursive: true });
});

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.baseUrl + path, { headers, redirect: "manual" });
const asBrowser = { accept: "text/html" };

describe("npm run dev", () => {
  it("serves the console's sources without a build", async () => {
    const page = await read("/runs?status=failed", asBrowser);
    const text = await page.text();
    expect(text).toContain('src="/console/@vite/client"');
    expect(text).toContain('src="/console/src/main.tsx"');
    const script = await read("/console/src/main.tsx");
    expect(await script.text()).toContain("createConsoleRouter");
  });

  it("serves REST, MCP and the pages of OAuth at the same address", async () => {
    expect(await (await read("/healthz")).json()).toEqual({ status: "ok" });
    const refused = await fetch(`${service.baseUrl}/api/mcp`, { method: "POST" });
    expect(refused.headers.get("www-authenticate")).toContain(service.baseUrl);
    const page = await read("/sign-in", asBrowser);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const metadata = (await (await read("/.well-known/oauth-authorization-server")).json()) as {
      issuer: string;
    };
    expect(metadata.issuer).toBe(service.baseUrl);
  });

  it("accepts the session of a user who signed in, and no other origin", async () => {
    const cookie = await enter(
      service.baseUrl,
      "sign-in",
      await readFirstRun(join(folder, "data")),
    );
    const key = (origin: string) =>
      createCall(
        () => service.baseUrl,
        () => ({ cookie, origin }),
      )("POST", "/api-keys", { name: "Key", scopes: ["mcp:read"] });
    expect((await key(service.baseUrl)).status).toBe(201);
    const foreign = await key("https://example.com");
    expect(foreign.status).toBe(403);
    expect(foreign.headers.has("access-control-allow-origin")).toBe(false);
  });

  it("serves no file of the data folder, and no source of the server", async () => {
    for (const file of [join(folder, "data/first-run.json"), join(root, "server/src/main.ts")]) {
      for (const query of ["", "?raw", "?import&raw", "?url"]) {
        const response = await read(`/console/@fs${file}${query}`);
        expect([file, query, response.status]).toEqual([file, query, 403]);
      }
    }
  });

  it("accepts npm run seed, which creates nothing but runs and files twice", async () => {
    const env = { PATH: process.env["PATH"], DATA_DIR: join(folder, "data") };
    const options = { env, cwd: folder };
    const seed = () => promisify(execFile)(process.execPath, [seedFile, "16"], options);
    const first = await seed();
    expect(first.stdout).toContain("  created Weather forecast\n");
    expect(first.stdout).toContain("  added grace.lopes@example.com");
    expect(first.stdout).toMatch(/Runs by status: \{"completed":\d+,"failed":\d+\}/);
    const second = await seed();
    expect(second.stdout).not.toMatch(/created|added|invited/);
  });

  it("stops the service as well", async () => {
    const { stderr } = await endService(service, "SIGTERM");
    expect(stderr).toContain('"msg":"stopped"');
    await expect(read("/healthz")).rejects.toThrow("fetch failed");
  });
});
