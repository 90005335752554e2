import { alternate, measure } from "./alternate.ts";
import type { Alternation, Contender } from "./alternate.ts";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { areGoalsMet, goalRows, writeMeasured } from "./goals.ts";
import type { Measured } from "./goals.ts";
import { openClient } from "./http-client.ts";
import type { HttpClient } from "./http-client.ts";
import { readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { table } from "./table.ts";
import { runCall, saveTool, startService } from "./service.ts";
import type { Service } from "./service.ts";
import { toolCode } from "./settings.ts";

/**
 * Compares runs of one tool with runs of many tools in turn, and with runs of a tool that runs the one tool as a child, once and
 * several times. The further children cost what a child does. The first one also costs what any first request of a tool does: the
 * parent is written while it executes, and again with its end.
 */

exitOnSignals();

const figures = ["cpuMs", "ownCpuMs", "sandboxCpuMs", "p50Ms"] as const;
type Figure = (typeof figures)[number];
const concurrencies = [1, 16] as const;
const callsAtOnce = 4;
const childCount = 4;

const { seconds, rounds, json, tools: toolCount } = readOptions(process.argv.slice(2));
const folder = makeTemporaryFolder("bench-tools");
const settings = { WORKSPACE_MAX_TOOLS: "0", RATE_LIMIT_BUILDS_PER_MINUTE: "0" };
const service = await startService(folder, settings);
try {
  await compare(service, openClient(service.port));
} finally {
  await service.stop();
}

type Name = "one" | "many" | "parent" | "parent of many";

async function compare({ pid, apiKey }: Service, client: HttpClient): Promise<void> {
  const one = await save(client, apiKey, toolCode);
  const parent = await save(client, apiKey, parentOf(one, 1));
  const parentOfMany = await save(client, apiKey, parentOf(one, childCount));
  const inTurnCall = inTurn(client, apiKey, await saveMany(client, apiKey));
  const watch = watchTree(pid);
  const contenders: Contender<Name>[] = [
    { name: "one", watch, call: runCall(client, apiKey, one) },
    { name: "many", watch, call: inTurnCall },
    { name: "parent", watch, call: runCall(client, apiKey, parent) },
    { name: "parent of many", watch, call: runCall(client, apiKey, parentOfMany) },
  ];
  await callAtOnce(toolCount, inTurnCall);
  for (const each of contenders) await measure(each, { concurrency: 16, seconds: 4 });
  const rows = [["at once", "runs", "CPU ms", "own process", "sandbox", "p50 ms", "ratio"]];
  const measured: Measured[] = [];
  for (const concurrency of concurrencies) {
    const alternation = await alternate(contenders, { concurrency, seconds }, rounds);
    const { cells, many, child } = costsOf(alternation);
    rows.push(...cells.map((row) => [`${concurrency}`, ...row]));
    measured.push({ figure: "many tools cpu", concurrency, value: many });
    measured.push({ figure: "child cpu", concurrency, value: child });
  }
  watch.stop();
  client.close();
  process.stdout.write(`${table(rows).join("\n")}\n\n${table(goalRows(measured)).join("\n")}\n`);
  writeMeasured(json, measured);
  if (!areGoalsMet(measured)) process.exitCode = 1;
}

/** Code that runs a tool as a child several times, one after the other. */
function parentOf(tool: string, children: number): string {
  return `export default async (input, ctx) => {
    let output;
    for (let i = 0; i < ${children}; i += 1) output = await ctx.tools.run("${tool}", input);
    return output;
  };`;
}

function cellsOf(text: string, of: (figure: Figure) => number, cost: number): string[] {
  return [text, ...figures.map((figure) => of(figure).toFixed(2)), cost.toFixed(2)];
}

/** The cost of a further child. */
function childOf(parent: number, parentOfMany: number): number {
  return (parentOfMany - parent) / (childCount - 1);
}

function costsOf({ middle, ratio }: Alternation<Name>) {
  const [many, parent] = [ratio("many", "one", "cpuMs"), ratio("parent", "one", "cpuMs")];
  const child = childOf(parent, ratio("parent of many", "one", "cpuMs"));
  const ofChild = (figure: Figure) =>
    childOf(middle("parent", figure), middle("parent of many", figure));
  const cells = [
    cellsOf("one tool", (figure) => middle("one", figure), 1),
    cellsOf(`${toolCount} tools in turn`, (figure) => middle("many", figure), many),
    cellsOf("a tool with a child", (figure) => middle("parent", figure), parent),
    cellsOf("a child", ofChild, child),
    cellsOf(
      "the first request of a tool",
      (figure) => middle("parent", figure) - middle("one", figure) - ofChild(figure),
      parent - 1 - child,
    ),
  ];
  return { cells, many, child };
}

function save(client: HttpClient, apiKey: string, code: string): Promise<string> {
  return saveTool(client, apiKey, { title: "Sum", code, isolation: "reuse" });
}

/** Saves tools of different code, because equal text is the same module. */
async function saveMany(client: HttpClient, apiKey: string): Promise<string[]> {
  process.stderr.write(`Saving ${toolCount} tools\n`);
  const names: string[] = [];
  await callAtOnce(toolCount, async (number) => {
    const code = `export default async (i) => ({ sum: i.a + i.b, number: ${number} })`;
    names.push(await save(client, apiKey, code));
  });
  return names;
}

async function callAtOnce(count: number, call: (number: number) => Promise<unknown>) {
  let left = count;
  const loop = async () => {
    while (left > 0) await call(left--);
  };
  await Promise.all(Array.from({ length: callsAtOnce }, loop));
}

function inTurn(client: HttpClient, apiKey: string, names: readonly string[]) {
  const calls = names.map((name) => runCall(client, apiKey, name));
  let next = 0;
  return async () => calls[next++ % calls.length]?.();
}
