import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startService } from "../../bench/service.ts";
import { readTasks, readTools } from "./catalog.ts";
import { connect } from "./counting-client.ts";
import { evaluate, summarize } from "./evaluate.ts";
import type { TaskResult } from "./evaluate.ts";
import { createModelAgent } from "./model-agent.ts";
import { prepareTools } from "./prepare.ts";
import { scriptedAgent } from "./scripted-agent.ts";

const usage = `Usage: npm run eval:agents -- [--tasks N] [--details] [--json FILE] [--url URL --model NAME]

Lets an agent solve tasks over MCP with 120 tools: search, pick, run, read. Prints right tools and
answers, calls, and tokens in the vocabulary o200k_base. Without a model, the agent is a script.

  --tasks N    number of tasks, at most 220 (60)
  --details    print each task
  --json FILE  write the results
  --url URL    an OpenAI-compatible server, such as http://127.0.0.1:11434/v1
  --model NAME its model; EVAL_MODEL_KEY is its API key
`;

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "60" },
    details: { type: "boolean", default: false },
    json: { type: "string" },
    url: { type: "string" },
    model: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help || (values.url === undefined) !== (values.model === undefined)) {
  process.stderr.write(usage);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "eval-agents-"));
try {
  const service = await startService(folder);
  try {
    await run({ baseUrl: `http://127.0.0.1:${service.port}`, apiKey: service.apiKey });
  } finally {
    await service.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function run(endpoint: { baseUrl: string; apiKey: string }): Promise<void> {
  const tools = await prepareTools(endpoint, readTools());
  const client = await connect(`${endpoint.baseUrl}/api/mcp`, endpoint.apiKey);
  try {
    const tasks = readTasks(Number(values.tasks));
    const results = await evaluate({ client, agent: createAgent(), tasks, tools });
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 2));
    if (values.details) for (const result of results) process.stdout.write(describe(result));
    process.stdout.write(
      `${tools.size} tools, instructions and tools/list ${client.surface.tokens} tokens\n`,
    );
    for (const [name, value] of Object.entries(summarize(results))) {
      process.stdout.write(`${name} ${Math.round(value * 100) / 100}\n`);
    }
  } finally {
    await client.close();
  }
}

function createAgent() {
  const { url, model } = values;
  if (url === undefined || model === undefined) return scriptedAgent;
  return createModelAgent({ url, model, key: process.env["EVAL_MODEL_KEY"] });
}

function describe({ task, isRightTool, isRightAnswer, calls, error = "" }: TaskResult): string {
  const outcome = isRightAnswer ? "right" : isRightTool ? "wrong answer" : "wrong tool";
  const tokens = calls.map(({ tool, written, read }) => `${tool} ${written}+${read}`).join(", ");
  return `${outcome}: ${task.words} (${tokens}) ${error}\n`;
}
