import process from "node:process";
import { openSecondWorkspace } from "../src/second-workspace.ts";
import { measureHostile, prepareHostile, readLoop, sendHostile } from "../src/send-hostile.ts";
import type { HostileRequest } from "../src/hostile-corpus.ts";
import { startServer } from "../src/server.ts";
import type { Server } from "../src/server.ts";

/**
 * `npm run chaos:hostile`: one workspace sends the hostile corpus as fast as its limits allow, while another runs a tool.
 * With `-- --each`, measures the effect of each request on the event loop, longest first. Further arguments filter by name.
 */
const [mode, ...words] = process.argv.slice(2);
await (mode === "--each" ? measureEach() : measureLoad());

async function measureEach(): Promise<void> {
  const server = await startServer({ WORKSPACE_WORKER_CPU_MS_PER_MINUTE: "0" });
  try {
    const requests = (await prepareHostile(server)).filter(
      ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
    );
    const effects = [];
    for (const request of requests) effects.push(await measureHostile(server, request));
    print("    CPU   delay    took  status  request");
    for (const effect of effects.toSorted((one, other) => other.cpuMs - one.cpuMs)) {
      const { name, status, tookMs, cpuMs, delayMs } = effect;
      print(`${[cpuMs, delayMs, tookMs].map(format).join(" ")}     ${status}  ${name}`);
    }
  } finally {
    await server.stop();
  }
}

async function measureLoad(): Promise<void> {
  const server = await startServer({
    RATE_LIMIT_REQUESTS_PER_MINUTE: "600",
    RATE_LIMIT_RUNS_PER_MINUTE: "300",
    NODE_MAX_CONCURRENT_RUNS: "16",
  });
  try {
    const requests = await prepareHostile(server);
    const second = await openSecondWorkspace(server);
    const run: HostileRequest = {
      name: "a run",
      method: "POST",
      path: `/api/v1/run/${second.tool}`,
      body: "{}",
    };
    const health: HostileRequest = { name: "healthz", method: "GET", path: "/healthz" };
    const quiet = await follow(server, { health, run: [second, run] }, 10_000);
    const [loud, statuses] = await Promise.all([
      follow(server, { health, run: [second, run] }, 60_000),
      attack(server, requests, 60_000),
    ]);
    print(`without other requests: ${describe(quiet)}`);
    print(`during the attack:      ${describe(loud)}`);
    print(`responses to attack:    ${JSON.stringify(statuses)}`);
    const { cpuMs, delayMs } = await readLoop(server);
    print(`longest turn: ${cpuMs.toFixed(0)} ms of CPU, longest delay ${delayMs.toFixed(0)} ms`);
  } finally {
    await server.stop();
  }
}

type Waits = { health: number[]; run: number[] };
type Followed = {
  health: HostileRequest;
  run: readonly [Parameters<typeof sendHostile>[0], HostileRequest];
};

/** Measures how long `/healthz` and the other workspace's runs take in the meantime. */
async function follow(server: Server, { health, run }: Followed, ms: number): Promise<Waits> {
  const end = performance.now() + ms;
  const ask = async (pauseMs: number, send: () => Promise<number>) => {
    const waits = [];
    while (performance.now() < end) {
      const before = performance.now();
      await send();
      waits.push(performance.now() - before);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return waits;
  };
  const [healthWaits, runWaits] = await Promise.all([
    ask(20, () => sendHostile(server, health)),
    ask(300, () => sendHostile(...run)),
  ]);
  return { health: healthWaits, run: runWaits };
}

/** Sends the corpus repeatedly, with eight concurrent requests. */
async function attack(server: Server, requests: readonly HostileRequest[], ms: number) {
  const end = performance.now() + ms;
  const counts: Record<string, number> = {};
  let next = 0;
  const lane = async () => {
    while (performance.now() < end) {
      const request = requests[next++ % requests.length];
      if (request === undefined) return;
      const status = await sendHostile(server, request).catch(() => 0);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return counts;
}

function describe({ health, run }: Waits): string {
  return `/healthz ${show(health)}; runs ${show(run)}`;
}

function show(waits: readonly number[]): string {
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(0.9999)} ms`;
}

function format(ms: number): string {
  return ms.toFixed(0).padStart(7);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
