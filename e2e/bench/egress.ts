import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { startHelper } from "./helper.ts";
import { openClient } from "./http-client.ts";
import type { HttpClient } from "./http-client.ts";
import { field, numberField } from "./json.ts";
import { median } from "./load.ts";
import { readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { startService } from "./service.ts";
import type { Service } from "./service.ts";

/** Compares the cost of a tool's `fetch` with the same one without a sandbox, in sequence on keep-alive connections. */

exitOnSignals();

const fetches = 1_000;

type Figures = { ms: number; cpuMs: number };

const { rounds } = readOptions(process.argv.slice(2));
const folder = makeTemporaryFolder("bench-egress");
const upstream = createServer((_request, response) => response.end("x".repeat(1_000)));
upstream.listen(0, "127.0.0.1");
await once(upstream, "listening");
const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
process.env["EGRESS_PRIVATE_HOSTS"] = host;
process.env["EGRESS_MAX_REQUESTS"] = "1000000";
try {
  const service = await startService(folder);
  const direct = await startHelper("direct-fetch.ts", []);
  try {
    const pairs: { direct: Figures; tool: Figures }[] = [];
    const inTool = await prepareTool(service);
    for (let round = 0; round <= rounds; round++) {
      const answer = await direct.ask({ url: `http://${host}/`, count: fetches });
      const outside = { ms: numberField(answer, "ms"), cpuMs: numberField(answer, "cpuMs") };
      const pair = { direct: outside, tool: await inTool() };
      // The first round warms up both.
      if (round > 0) pairs.push(pair);
    }
    report(pairs);
  } finally {
    await direct.stop();
    await service.stop();
  }
} finally {
  upstream.closeAllConnections();
  upstream.close();
}

/** Creates a tool that fetches, and returns a call that measures the cost of one fetch in service and sandbox. */
async function prepareTool({ port, pid, apiKey }: Service): Promise<() => Promise<Figures>> {
  const client = openClient(port);
  const code = `export default async ({ count }) => {
    const times = [];
    for (let done = 0; done < count; done++) {
      const startedAt = performance.now();
      await (await fetch("http://${host}/")).text();
      times.push(performance.now() - startedAt);
    }
    return { meanMs: times.reduce((one, other) => one + other, 0) / count };
  }`;
  const draft = {
    title: "Fetches",
    description: "Fetches repeatedly.",
    inputSchema: { type: "object", properties: { count: { type: "integer" } } },
    source: { language: "javascript", code },
    allowedHosts: [`http://${host}`],
  };
  const name = field(await send(client, apiKey, "/api/v1/tools", draft), "name");
  return async () => {
    const watch = watchTree(pid);
    const before = watch.cpu();
    const result = await send(client, apiKey, `/api/v1/run/${String(name)}`, { count: fetches });
    const after = watch.cpu();
    watch.stop();
    const output = field(result, "output");
    if (output === undefined) throw new Error(JSON.stringify(result));
    const usedMs = after.rootMs - before.rootMs + after.descendantsMs - before.descendantsMs;
    // Averages, because the sandbox's clock has a resolution of one millisecond.
    return { ms: numberField(output, "meanMs"), cpuMs: usedMs / fetches };
  };
}

async function send(client: HttpClient, apiKey: string, path: string, body: object) {
  const headers = { authorization: `Bearer ${apiKey}`, "idempotency-key": randomUUID() };
  const { text } = await client.send("POST", path, headers, JSON.stringify(body));
  return JSON.parse(text) as unknown;
}

function report(pairs: readonly { direct: Figures; tool: Figures }[]): void {
  for (const subject of ["direct", "tool"] as const) {
    const [p50, cpu] = (["ms", "cpuMs"] as const).map((figure) =>
      median(pairs.map((pair) => pair[subject][figure])).toFixed(2),
    );
    process.stdout.write(`${subject}: ${p50} ms and ${cpu} CPU ms a fetch\n`);
  }
}
