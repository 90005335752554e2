import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { startHelper } from "./helper.ts";
import { openClient } from "./http-client.ts";
import { numberField } from "./json.ts";
import { median } from "./load.ts";
import { readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { runCall, saveTool, startService } from "./service.ts";
import { toolCode } from "./settings.ts";

/** Compares the cost of a run with tracing (every request, to a collector in another process) and without, in turn. */

exitOnSignals();

const concurrency = 16;
const warmUpRuns = 2_000;
const runsOfSlice = 200;
const sealDelayMs = 1_500;
const goal = 1.05;

/** Milliseconds of CPU time. */
type Cpu = { allMs: number; ownMs: number };
type Subject = { run: (count: number) => Promise<void>; cpu: () => Cpu; stop: () => Promise<void> };
type Pair = { off: Cpu; on: Cpu };

const { rounds } = readOptions(process.argv.slice(2));
const folder = makeTemporaryFolder("bench-tracing");
const collector = await startHelper("trace-collector.ts", []);
const subjects: Subject[] = [];
try {
  const endpoint = `http://127.0.0.1:${numberField(collector.hello, "port")}`;
  const off = await startSubject("off", {});
  const on = await startSubject("on", { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  for (const subject of [off, on]) await subject.run(warmUpRuns);
  await sleep(sealDelayMs);
  const before = numberField(await collector.ask({}), "bytes");
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds * 10; round++) {
    pairs.push(await measurePair(off, on, round % 2 === 1));
  }
  report(pairs, numberField(await collector.ask({}), "bytes") - before);
} finally {
  await Promise.all(subjects.map((subject) => subject.stop()));
  await collector.stop();
}

/** The cost of a slice of runs each, in turn so that changes on the machine affect both equally. */
async function measurePair(off: Subject, on: Subject, isReversed: boolean): Promise<Pair> {
  const before = { off: off.cpu(), on: on.cpu() };
  for (const subject of isReversed ? [on, off] : [off, on]) await subject.run(runsOfSlice);
  // Spans and audit events are sent and sealed up to a second after a run.
  await sleep(sealDelayMs);
  return { off: cost(off.cpu(), before.off), on: cost(on.cpu(), before.on) };
}

function cost(after: Cpu, before: Cpu): Cpu {
  return {
    allMs: (after.allMs - before.allMs) / runsOfSlice,
    ownMs: (after.ownMs - before.ownMs) / runsOfSlice,
  };
}

async function startSubject(name: string, settings: Record<string, string>): Promise<Subject> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const service = await startService(dataDir, settings);
  const watch = watchTree(service.pid);
  const client = openClient(service.port);
  const tool = { title: "Sum", code: toolCode, isolation: "reuse" };
  const call = runCall(client, service.apiKey, await saveTool(client, service.apiKey, tool));
  const subject = {
    run: async (count: number) => {
      let started = 0;
      const loop = async () => {
        while (started++ < count) await call();
      };
      await Promise.all(Array.from({ length: concurrency }, loop));
    },
    cpu: () => {
      const { rootMs, descendantsMs } = watch.cpu();
      return { allMs: rootMs + descendantsMs, ownMs: rootMs };
    },
    stop: async () => {
      watch.stop();
      client.close();
      await service.stop();
    },
  };
  subjects.push(subject);
  return subject;
}

function report(pairs: readonly Pair[], bytes: number): void {
  const middle = (which: keyof Pair, figure: keyof Cpu) =>
    median(pairs.map((pair) => pair[which][figure])).toFixed(3);
  for (const which of ["off", "on"] as const) {
    process.stdout.write(
      `tracing ${which}: ${middle(which, "allMs")} CPU ms a run (the service's own: ${middle(which, "ownMs")})\n`,
    );
  }
  const ratio = (figure: keyof Cpu) => median(pairs.map(({ off, on }) => on[figure] / off[figure]));
  const sum = (which: keyof Pair) => pairs.reduce((total, pair) => total + pair[which].allMs, 0);
  const all = ratio("allMs");
  const runs = pairs.length * runsOfSlice;
  process.stdout.write(
    `on / off: ${all.toFixed(3)} of the CPU time (of the sums: ${(sum("on") / sum("off")).toFixed(3)}), ${ratio("ownMs").toFixed(3)} of the service's own (goal: at most ${goal}); ${(bytes / runs / 1024).toFixed(1)} KB of spans a run\n`,
  );
  process.exitCode = all <= goal ? 0 : 1;
}
