import { startSlowProxy } from "../../server/testing/slow-proxy.ts";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { openClient } from "./http-client.ts";
import { median, quantile, runLoad } from "./load.ts";
import { endWithUsage, readOptions } from "./options.ts";
import { runCall, saveTool, startService } from "./service.ts";
import type { Service } from "./service.ts";
import { concurrencies, toolCode } from "./settings.ts";

/** Measures what the distance to PostgreSQL costs. DATABASE_URL names an empty database on a server that is close. */

exitOnSignals();

const roundTripsMs = [0, 20, 200];
const warmUpSeconds = 3;

const { seconds } = readOptions(process.argv.slice(2));
const target = process.env["DATABASE_URL"];
if (target === undefined) endWithUsage("Set DATABASE_URL to an empty database.");
const url = new URL(target);
const proxy = await startSlowProxy({ host: url.hostname, port: Number(url.port || 5432) });
url.host = `127.0.0.1:${proxy.port}`;
process.env["DATABASE_URL"] = url.href;
const folder = makeTemporaryFolder("bench-latency");
try {
  // Migrations would take minutes over a slow connection.
  const service = await startService(folder);
  try {
    await measure(service);
  } finally {
    proxy.roundTripMs = 0;
    await service.stop();
  }
} finally {
  await proxy.close();
}

async function measure({ port, apiKey }: Service): Promise<void> {
  const client = openClient(port);
  const tool = await saveTool(client, apiKey, { title: "Sum", code: toolCode, isolation: "reuse" });
  const call = runCall(client, apiKey, tool);
  const run = async () => void (await call());
  process.stdout.write("round trip  clients  runs/s  p50 ms  p99 ms  connections\n");
  for (const roundTripMs of roundTripsMs) {
    proxy.roundTripMs = roundTripMs;
    for (const concurrency of concurrencies) {
      await runLoad(concurrency, warmUpSeconds, run);
      proxy.connections.max = proxy.connections.open;
      const load = await runLoad(concurrency, seconds, run);
      if (load.problems[0] !== undefined) throw new Error(load.problems[0]);
      const cells = [
        `${roundTripMs} ms`,
        concurrency,
        (load.latenciesMs.length / load.seconds).toFixed(1),
        median(load.latenciesMs).toFixed(0),
        quantile(load.latenciesMs, 0.99).toFixed(0),
        proxy.connections.max,
      ];
      const widths = [10, 9, 8, 8, 8, 13];
      const row = cells.map((cell, index) => String(cell).padStart(widths[index] ?? 0)).join("");
      process.stdout.write(`${row}\n`);
    }
  }
  client.close();
}
