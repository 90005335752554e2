import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startHelper } from "./helper.ts";
import { openClient } from "./http-client.ts";
import { numberField } from "./json.ts";
import { median, quantile, runLoad } from "./load.ts";
import { readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { runCall, saveTool, startService } from "./service.ts";
import { toolCode } from "./settings.ts";

/** Compares the cost of a run with tracing (every request, to a collector in another process) and without, in turn. */

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const concurrency = 16;
const settleMs = 1_500;
const goal = 1.05;

type Figures = { cpuMs: number; ownCpuMs: number; p50Ms: number };
type Subject = { measure: (seconds: number) => Promise<Figures>; stop: () => Promise<void> };

const { seconds, rounds } = readOptions(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), "bench-tracing-"));
const collector = await startHelper("trace-collector.ts", []);
const subjects: Subject[] = [];
try {
  const endpoint = `http://127.0.0.1:${numberField(collector.hello, "port")}`;
  const off = await startSubject("off", {});
  const on = await startSubject("on", { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  for (const subject of [off, on, off, on]) await subject.measure(2);
  const before = numberField(await collector.ask({}), "bytes");
  const pairs: { off: Figures; on: Figures }[] = [];
  for (let round = 0; round < rounds; round++) {
    // In turn, so that changes on the machine affect both equally.
    const isReversed = round % 2 === 1;
    const first = await (isReversed ? on : off).measure(seconds);
    const second = await (isReversed ? off : on).measure(seconds);
    pairs.push(isReversed ? { off: second, on: first } : { off: first, on: second });
  }
  report(pairs, numberField(await collector.ask({}), "bytes") - before);
} finally {
  await Promise.all(subjects.map((subject) => subject.stop()));
  await collector.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function startSubject(name: string, settings: Record<string, string>): Promise<Subject> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const service = await startService(dataDir, settings);
  const watch = watchTree(service.pid);
  const client = openClient(service.port);
  const tool = { title: "Sum", code: toolCode, isolation: "reuse" };
  const call = runCall(client, service.apiKey, await saveTool(client, service.apiKey, tool));
  const measure = async (forSeconds: number): Promise<Figures> => {
    const start = watch.cpu();
    const load = await runLoad(concurrency, forSeconds, async () => void (await call()));
    // Spans and audit events are sent and sealed up to a second after a run.
    await sleep(settleMs);
    const end = watch.cpu();
    const [problem] = load.problems;
    if (problem !== undefined) throw new Error(problem);
    const runs = load.latenciesMs.length;
    const ownCpuMs = (end.rootMs - start.rootMs) / runs;
    const cpuMs = ownCpuMs + (end.descendantsMs - start.descendantsMs) / runs;
    return { cpuMs, ownCpuMs, p50Ms: quantile(load.latenciesMs, 0.5) };
  };
  const stop = async () => {
    watch.stop();
    client.close();
    await service.stop();
  };
  const subject = { measure, stop };
  subjects.push(subject);
  return subject;
}

function report(pairs: readonly { off: Figures; on: Figures }[], bytes: number): void {
  const middle = (which: "off" | "on", figure: keyof Figures) =>
    median(pairs.map((pair) => pair[which][figure])).toFixed(3);
  for (const which of ["off", "on"] as const) {
    process.stdout.write(
      `tracing ${which}: ${middle(which, "cpuMs")} CPU ms a run (the service's own: ${middle(which, "ownCpuMs")}), p50 ${middle(which, "p50Ms")} ms\n`,
    );
  }
  const ratios = (figure: keyof Figures) => pairs.map(({ off, on }) => on[figure] / off[figure]);
  const all = median(ratios("cpuMs"));
  process.stdout.write(
    `on / off: ${all.toFixed(3)} of the CPU time, ${median(ratios("ownCpuMs")).toFixed(3)} of the service's own (goal: at most ${goal}); ${(bytes / 1_048_576).toFixed(1)} MB of spans\n`,
  );
  process.exitCode = all <= goal ? 0 : 1;
}
