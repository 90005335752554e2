import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { openClient } from "./http-client.ts";
import { median, quantile } from "./load.ts";
import { startService } from "./service.ts";
import type { Service } from "./service.ts";

/**
 * Measures how long saving a tool takes: without packages on an idle service and during two hostile builds, with
 * packages on a cold and a warm cache, and how long a first start takes.
 */

exitOnSignals();

const saveCount = Number(process.argv[2] ?? 100);
const folder = makeTemporaryFolder("bench-builds");
const registry = await startHostileRegistry();
try {
  await withService("real", {}, measurePackages);
  await withService("hostile", { npm_config_registry: registry.url }, measureSaves);
} finally {
  registry.close();
}

async function withService(
  name: string,
  environment: Record<string, string>,
  measure: (save: Save) => Promise<void>,
): Promise<void> {
  Object.assign(process.env, environment, { RATE_LIMIT_BUILDS_PER_MINUTE: "0" });
  const dataDir = mkdtempSync(join(folder, name));
  const startedAt = performance.now();
  const service = await startService(dataDir);
  print("first start", [performance.now() - startedAt]);
  try {
    await measure(saveWith(service));
  } finally {
    await service.stop();
  }
}

type Save = (code: string, dependencies?: Record<string, string>) => Promise<number>;

function saveWith({ port, apiKey }: Service): Save {
  const client = openClient(port);
  return async (code, dependencies) => {
    const body = JSON.stringify({
      title: "Bench",
      description: "A tool for the benchmark.",
      inputSchema: { type: "object" },
      source: { language: "typescript", code, ...(dependencies && { dependencies }) },
    });
    const headers = { authorization: `Bearer ${apiKey}`, "idempotency-key": randomUUID() };
    const { status } = await client.send("POST", "/api/v1/tools", headers, body);
    return status;
  };
}

async function measureSaves(save: Save): Promise<void> {
  print("save without packages, quiet", await timeSaves(save));
  const over = new AbortController();
  const attack = async (name: string) => {
    while (!over.signal.aborted) {
      await save(`import x from "${name}"; export default () => x;`, { [name]: "1.0.0" });
      await sleep(100);
    }
  };
  const attacks = [attack("drip"), attack("computing")];
  await sleep(1_000);
  print("save without packages, two hostile builds", await timeSaves(save));
  over.abort();
  void Promise.allSettled(attacks);
}

async function measurePackages(save: Save): Promise<void> {
  const code = 'import { z } from "zod"; export default () => z.string().parse("a");';
  const times: number[] = [];
  for (let turn = 0; turn < 6; turn++)
    times.push(await time(() => save(code, { zod: "4.1.5" }), 201));
  print("save with zod, cold cache", times.slice(0, 1));
  print("save with zod, warm cache", times.slice(1));
}

async function timeSaves(save: Save): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < saveCount; turn++) {
    times.push(await time(() => save(`export default () => ${turn};`), 201));
    // Ends the benchmark even if the service hangs.
    if (times.reduce((sum, ms) => sum + ms, 0) > 240_000) break;
  }
  return times;
}

async function time(work: () => Promise<number>, status: number): Promise<number> {
  const startedAt = performance.now();
  const got = await work();
  if (got !== status) process.stdout.write(`(status ${got}) `);
  return performance.now() - startedAt;
}

function print(what: string, times: readonly number[]): void {
  const figures = [median([...times]), quantile([...times], 0.99), Math.max(...times)].map(
    Math.round,
  );
  process.stdout.write(
    `${what}: p50 ${figures[0]} ms, p99 ${figures[1]} ms, max ${figures[2]} ms (${times.length})\n`,
  );
}

/** A registry with one package whose archive is endless, and one whose code occupies a bundler for long. */
async function startHostileRegistry() {
  const { pack } = await import("./pack.ts");
  const busy = Array.from(
    { length: 60_000 },
    (_, at) => `exports.f${at} = (a, b) => a?.[b] ?? ${at};`,
  );
  const archive = pack("computing", { "index.js": busy.join("\n"), ...manyFiles() });
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  let url = "";
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path === "/computing.tgz") response.end(archive);
    else if (path === "/drip.tgz") drip(response);
    else {
      const name = path.slice(1);
      const dist = { tarball: `${url}/${name}.tgz`, integrity };
      const versions = { "1.0.0": { name, version: "1.0.0", dist } };
      response.end(JSON.stringify({ name, "dist-tags": { latest: "1.0.0" }, versions }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null)
    throw new Error("The server does not listen on a port");
  url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function manyFiles(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`f/${at}.js`, ""]));
}

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write("x"), 100);
  response.once("close", () => clearInterval(timer));
}
