import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import type { CreateToolInput } from "@toolhost/contract";
import { transform } from "esbuild";
import { checkDefinition } from "../../src/core/catalog/tools/check-definition.ts";
import { createOpenApiReader } from "../../src/core/imports/openapi/index.ts";
import type { DocumentSummary, GeneratedTool } from "../../src/core/imports/openapi/index.ts";
import { createValidation } from "../../src/core/validation/index.ts";
import { monitorLoop } from "../../src/lib/event-loop.ts";
import { checkTypes, lintSample } from "./check-code.ts";
import { childUsage } from "./child-usage.ts";

const usage = `Usage: npm run eval:openapi -- FILE...

Makes a tool of every operation of OpenAPI documents, and prints for each document how many pass all checks of a save, the
type checker and the linter, and what listing the operations costs.
`;

/** Tools made by one call, as the product allows. */
const keysAtOnce = 500;
const documentUrl = "https://api.example.com/openapi.json";
const workspaceId = "evaluation";

const validation = createValidation({ size: 2, jobCpuMs: 5_000, cpuMsPerMinute: 0 });
const newReader = () =>
  createOpenApiReader({
    checkDefinition: (...definition) => validation.checkDefinition(...definition),
    cpuMsPerMinute: 0,
  });

type Listing = { summary: DocumentSummary; cpuMs: number; peakMb: number; maxPauseMs: number };

/** Lists a document in a new process, whose start is part of the cost. */
async function list(bytes: Uint8Array): Promise<Listing> {
  const reader = newReader();
  let maxPauseMs = 0;
  // Less than the delay if this process only waited for a processor.
  const monitor = monitorLoop(({ delayMs, cpuMs }) => {
    maxPauseMs = Math.max(maxPauseMs, Math.min(delayMs, cpuMs));
  });
  const summary = await reader.readDocument(workspaceId, bytes);
  const cost = childUsage();
  monitor.stop();
  reader.stop();
  while (childUsage().peakMb > 0) await setTimeout(20);
  return { summary, ...cost, maxPauseMs };
}

async function generateAll(bytes: Uint8Array, { operations, format }: DocumentSummary) {
  const reader = newReader();
  const tools: GeneratedTool[] = [];
  const keys = operations.map(({ key }) => key);
  for (let at = 0; at < keys.length; at += keysAtOnce) {
    // Collections often leave the server to an environment.
    const serverUrl = format.startsWith("postman-") ? documentUrl : undefined;
    const options = { keys: keys.slice(at, at + keysAtOnce), documentUrl, serverUrl };
    tools.push(...(await reader.generateTools(workspaceId, bytes, options)).tools);
  }
  reader.stop();
  const hashes = new Map(operations.map(({ key, hash }) => [key, hash]));
  const wrong = tools.filter(({ key, hash }) => hashes.get(key) !== hash);
  if (wrong.length > 0) throw new Error(`${wrong.length} hashes differ from those of the list`);
  return tools;
}

/** Why a save would refuse the definition; undefined if it would not. */
async function problemOf(definition: CreateToolInput): Promise<string | undefined> {
  try {
    await checkDefinition({ validation }, { workspaceId }, definition);
    await transform(definition.source.code, { loader: "ts" });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const at = (values: readonly number[], share: number) =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

async function evaluate(file: string, { summary, ...cost }: Listing, folder: string) {
  const bytes = readFileSync(file);
  const tools = await generateAll(bytes, summary);
  const problems: string[] = [];
  for (const { key, definition } of tools) {
    const problem = await problemOf(definition);
    if (problem !== undefined) problems.push(`${key}: ${problem}`);
  }
  const wrongTypes = await checkTypes(join(folder, "types"), tools);
  const lint = await lintSample(join(folder, "lint"), tools);
  const sizes = summary.operations.map(({ schemaBytes }) => schemaBytes).toSorted((a, b) => a - b);
  const count = (test: (tool: GeneratedTool) => boolean) => tools.filter(test).length;
  return {
    file: basename(file),
    operations: summary.operations.length + summary.skipped.length,
    skipped: summary.skipped.length,
    pass: tools.length - problems.length,
    typed: tools.length - wrongTypes.length,
    linted: `${lint.clean} of ${lint.total}`,
    schemaBytes: { p50: at(sizes, 0.5), p90: at(sizes, 0.9), max: at(sizes, 1) },
    cut: count(({ notes }) => notes.some((note) => note.includes("larger than"))),
    paged: count(({ pagination }) => pagination !== undefined),
    nextPage: count(({ pagination }) => pagination?.output !== undefined),
    examples: count(({ definition }) => definition.examples.length > 0),
    listing: {
      cpuMs: Math.round(cost.cpuMs),
      peakMb: Math.round(cost.peakMb),
      maxPauseMs: Math.round(cost.maxPauseMs),
    },
    problems: [...problems, ...wrongTypes, ...lint.problems].slice(0, 8),
  };
}

const files = process.argv.slice(2);
if (files.length === 0) {
  process.stderr.write(usage);
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), "evaluate-openapi-"));
let [operations, passed] = [0, 0];
// Checking tools takes much memory, whose collection would count as a pause of the event loop.
const listings = new Map<string, Listing>();
for (const file of files) listings.set(file, await list(readFileSync(file)));
for (const [file, listing] of listings) {
  const result = await evaluate(file, listing, await mkdtemp(join(folder, "document-")));
  operations += result.operations;
  passed += Math.min(result.pass, result.typed);
  process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
}
await rm(folder, { recursive: true, force: true });
validation.stop();
process.stdout.write(`${passed} of ${operations} operations pass\n`);
process.exit(passed === operations ? 0 : 1);
