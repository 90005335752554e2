import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { measureColdStart } from "./cold-start.ts";
import { describeMachine } from "./machine.ts";
import { measureRound, summarize, warmUp } from "./measure.ts";
import type { Measurement, Watched } from "./measure.ts";
import { readOptions } from "./options.ts";
import type { Options } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { compare, goalFigures } from "./ratios.ts";
import { render } from "./report.ts";
import type { Report } from "./report.ts";
import { startService } from "./service.ts";
import type { Service } from "./service.ts";
import { barePoolSubject, echoSubject, serviceSubject } from "./subjects.ts";
import type { Subject } from "./subjects.ts";

exitOnSignals();

const options = readOptions(process.argv.slice(2));
const report = await bench(makeTemporaryFolder("bench"), options);
process.stdout.write(render(report));
if (options.json !== undefined) {
  writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}
process.exitCode = report.problems.length === 0 ? 0 : 1;

/** Starts all subjects, measures, and always stops the subjects. */
async function bench(folder: string, asked: Options): Promise<Report> {
  const started: Subject[] = [];
  const watched: Watched[] = [];
  const put = (subject: Subject) => {
    started.push(subject);
    const entry = { subject, watch: watchTree(subject.pid) };
    watched.push(entry);
    return entry;
  };
  try {
    const described = describeMachine(folder);
    print("Starting the service");
    const service = await startService(makeFolder(folder, "service"));
    const { subject, answerBytes } = await serviceSubject(service);
    const { watch } = put(subject);
    const before = watch.memory();
    const pool = await barePoolSubject(makeFolder(folder, "pool"));
    put(pool.subject);
    put(await echoSubject(answerBytes));
    if (pool.layer !== service.layer)
      throw new Error("The service and the pool use different isolation layers");
    const found = await measure(service, watched, asked);
    const { layer, database } = service;
    const machine = { ...described, layer, database };
    return { machine, ...found, memory: { before, after: watch.memory() } };
  } finally {
    for (const { watch } of watched) watch.stop();
    await Promise.all(started.map((subject) => subject.stop()));
  }
}

async function measure(
  service: Service,
  watched: readonly Watched[],
  { seconds, rounds, coldRuns }: Options,
): Promise<Omit<Report, "machine" | "memory">> {
  const problems: string[] = [];
  for (const each of watched) {
    print(`Warming up: ${each.subject.name}`);
    problems.push(...(await warmUp(each)));
  }
  const measurements: Measurement[][] = [];
  for (let round = 0; round < rounds; round++) {
    print(`Round ${round + 1} of ${rounds}`);
    measurements.push(await measureRound(watched, seconds, round % 2 === 1));
  }
  print("First runs of new tools");
  const coldStart = await measureColdStart(service, coldRuns);
  const cells = summarize(measurements.flat());
  problems.push(...cells.flatMap((cell) => cell.problems), ...coldStart.problems);
  const ratios = compare(cells);
  const measured = goalFigures(ratios, coldStart);
  return { seconds, rounds, cells, ratios, measured, coldStart, measurements, problems };
}

function makeFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}

function print(words: string): void {
  process.stderr.write(`${words}\n`);
}
