import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import type { Answer } from "./src/http.ts";
import { createMemoryGroup } from "./src/memory-group.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const mebibytes = 600;
const clients = 64;
const holdsMemory = `export default async ({ mebibytes }) => {
  const held = new Uint8Array(mebibytes << 20).fill(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return { length: held.length };
};`;

const group = dialect === "sqlite" ? createMemoryGroup(mebibytes) : undefined;
if (dialect === "sqlite" && group === undefined) {
  process.stderr.write("Skipping the tests of a node with little memory: no control groups.\n");
}

describe.skipIf(group === undefined)(`a node with ${mebibytes} MiB and ${clients} clients`, () => {
  let server: Server;
  let tool: string;

  beforeAll(async () => {
    const place = { launcher: group?.launcher ?? [] };
    server = await startServer({ WORKSPACE_MAX_CONCURRENT_RUNS: `${clients}` }, place);
    tool = await server.makeTool(holdsMemory);
  });
  afterAll(async () => {
    await server?.stop();
    await group?.remove();
  });

  /** Runs the tool with all clients for some seconds, and returns how often each result occurred. */
  async function load(seconds: number, input: object): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const endsAt = performance.now() + seconds * 1_000;
    const runUntilEnd = async () => {
      while (performance.now() < endsAt) {
        const name = nameOf(await server.run(tool, input));
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: clients }, runUntilEnd));
    return counts;
  }

  const nameOf = ({ status, body }: Answer) =>
    status === 200 ? String(body.error?.code ?? body.status) : String(status);

  test("reports sizes that fit into the memory", async () => {
    expect(server.process.printed().stdout).toContain(`5 processes, ${mebibytes} MB of memory`);
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/^toolhost_sandbox_processes_max 5$/m);
    expect(metrics).toMatch(
      new RegExp(`^toolhost_memory_limit_bytes ${mebibytes * 2 ** 20}$`, "m"),
    );
  });

  test(
    "completes the runs of a typical tool, and the kernel kills nothing",
    { tags: ["nightly"] },
    async () => {
      const counts = await load(8, { mebibytes: 5 });
      const refused = new Set(["running", "429", "503"]);
      expect([...counts.keys()].filter((name) => !refused.has(name))).toEqual(["completed"]);
      expect(counts.get("completed")).toBeGreaterThan(clients);
      expect(group?.countKills()).toBe(0);
    },
  );

  test("survives tools that use more memory than there is", { tags: ["nightly"] }, async () => {
    const counts = await load(8, { mebibytes: 200 });
    const ends = new Set(["completed", "running", "sandbox_lost", "memory_limit", "429", "503"]);
    expect([...counts.keys()].filter((name) => !ends.has(name))).toEqual([]);
    expect(group?.countKills()).toBeGreaterThan(0);
    expect(server.process.isRunning()).toBe(true);
    expect(nameOf(await server.run(tool, { mebibytes: 1 }))).toBe("completed");
  });
});
