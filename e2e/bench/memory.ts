import { setTimeout as sleep } from "node:timers/promises";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { openClient } from "./http-client.ts";
import { describeMachine } from "./machine.ts";
import { parseOptions } from "./options.ts";
import { readProcesses } from "./process-tree.ts";
import type { ProcessMemory } from "./process-tree.ts";
import { fixed, table } from "./table.ts";
import { runCall, saveTool, startService } from "./service.ts";
import type { Service } from "./service.ts";

/** Measures the memory of the service and its processes: idle after the start, after runs, and with up to 64 busy workers. */

exitOnSignals();
parseOptions({});

const idleMs = 8_000;
const runMs = 12_000;
const workers = [1, 64];
const mebibyte = 1024 * 1024;
const waiting = `export default async (i) => {
  await new Promise((resolve) => setTimeout(resolve, ${runMs}));
  return { sum: i.a + i.b };
}`;

/** What a process is, by its command line. The first that matches counts. */
const kinds: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["workers", /workerd.* serve/],
  ["builds", /script\.cjs|ESBUILD|esbuild/],
  ["launcher", /launcher/],
  ["other", /./],
];

const folder = makeTemporaryFolder("bench-memory");
const { cores, processor, node, loadAverage } = describeMachine(folder);
const service = await startService(folder);
try {
  const machine = `Machine: ${cores} cores (${processor}), Node ${node}, database ${service.database}`;
  print(`${machine}, load average ${fixed(loadAverage)}.`);
  await measure(service);
} finally {
  await service.stop();
}

async function measure({ port, apiKey, pid }: Service): Promise<void> {
  const client = openClient(port);
  try {
    const states: [string, ProcessMemory[]][] = [];
    await sleep(idleMs);
    states.push(["idle", readProcesses(pid)]);
    const tool = { title: "Wait", code: waiting, isolation: "reuse" };
    const run = runCall(client, apiKey, await saveTool(client, apiKey, tool));
    for (const count of workers) {
      const runs = Promise.all(Array.from({ length: count }, run));
      await sleep(runMs / 2);
      states.push([`${count} busy`, readProcesses(pid)]);
      await runs;
    }
    report(pid, states);
  } finally {
    client.close();
  }
}

function report(rootPid: number, states: readonly (readonly [string, ProcessMemory[]])[]): void {
  const kindOf = ({ pid, command }: ProcessMemory) =>
    pid === rootPid ? "service" : kinds.find(([, pattern]) => pattern.test(command))?.[0];
  const names = ["service", ...kinds.map(([name]) => name)];
  const rows = names.map((name) => [
    name,
    ...states.map(([, processes]) => cell(processes.filter((one) => kindOf(one) === name))),
  ]);
  print("PSS in MB, with the number of processes:");
  const header = ["processes", ...states.map(([name]) => name)];
  const total = ["all", ...states.map(([, processes]) => cell(processes))];
  print(table([header, ...rows, total]).join("\n"));
  const [, one, many] = states.map(([, processes]) => megabytes(processes));
  const added = (workers.at(-1) ?? 0) - (workers[0] ?? 0);
  print(`Each worker above the first: ${fixed(((many ?? 0) - (one ?? 0)) / added)} MB.`);
}

function cell(processes: readonly ProcessMemory[]): string {
  return `${fixed(megabytes(processes))} (${processes.length})`;
}

function megabytes(processes: readonly ProcessMemory[]): number {
  return processes.reduce((sum, { pssBytes }) => sum + pssBytes, 0) / mebibyte;
}

function print(words: string): void {
  process.stdout.write(`${words}\n`);
}
