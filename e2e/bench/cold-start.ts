import { openClient } from "./http-client.ts";
import { quantile } from "./load.ts";
import { runCall, saveTool } from "./service.ts";
import type { Service } from "./service.ts";

/** First runs of tools right after they were saved, in sequence on an idle service, each followed by a second run. */
export type ColdStart = {
  runs: number;
  p50Ms: number;
  p99Ms: number;
  /** The second runs. */
  warmP50Ms: number;
  problems: string[];
};

/** Saves new tools and times the first two runs of each. */
export async function measureColdStart(service: Service, runs: number): Promise<ColdStart> {
  const client = openClient(service.port);
  const latenciesMs: number[] = [];
  const warmMs: number[] = [];
  const problems: string[] = [];
  for (let number = 0; number < runs; number++) {
    try {
      const tool = await saveTool(client, service.apiKey, {
        title: `Cold ${number}`,
        // Unique code that no process has loaded, because equal text is the same module.
        code: `export default async (i) => ({ sum: i.a + i.b, number: ${number} })`,
        isolation: "reuse",
      });
      const run = runCall(client, service.apiKey, tool);
      latenciesMs.push(await time(run));
      warmMs.push(await time(run));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  client.close();
  const [p50Ms, p99Ms] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  const warmP50Ms = quantile(warmMs, 0.5);
  return { runs: latenciesMs.length, p50Ms, p99Ms, warmP50Ms, problems };
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}
