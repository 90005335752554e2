import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCall } from "../src/http.ts";
import { startPostgres } from "../src/postgres-server.ts";
import { signUpOwner } from "../src/server.ts";
import { checkAll } from "./check.ts";
import { carryOut } from "./client.ts";
import type { ClientContext, Outcome } from "./client.ts";
import { happen, planFaults } from "./faults.ts";
import { startFleet } from "./fleet.ts";
import type { Fleet } from "./fleet.ts";
import { createJournal } from "./journal.ts";
import type { Options } from "./options.ts";
import { chooseOrder, makeTools } from "./orders.ts";
import type { Tools } from "./orders.ts";
import { createRandom } from "./random.ts";
import type { Report } from "./report.ts";
import { createReader } from "./rest-reader.ts";
import { causeOf, createSend } from "./send.ts";
import { watchTakeovers } from "./takeovers.ts";

/** How long after the last fault each client may take to get its last answer. */
const drainMs = 90_000;

/**
 * Starts nodes on a PostgreSQL server of its own, lets clients ask while nodes, database and connections
 * fail, and checks at the end that no run was lost and none ran twice. Broken promises are in the report.
 */
export async function runChaos(options: Options, say: (line: string) => void): Promise<Report> {
  const postgres = await startPostgres();
  const workDir = await mkdtemp(join(tmpdir(), "toolhost-chaos-"));
  const { send, close } = createSend();
  const journal = createJournal();
  let fleet: Fleet | undefined;
  try {
    say("Starting the nodes");
    fleet = await startFleet({
      count: options.nodes,
      workDir,
      databaseUrl: postgres.url,
      isOneClockWrong: true,
      onCrash: (name, printed) => journal.complain("a node goes on", `${name}: ${printed}`),
      // Less than there are clients, so that some runs wait in the queue.
      settings: { WORKSPACE_MAX_CONCURRENT_RUNS: "4" },
    });
    const baseUrls = fleet.nodes.map(({ baseUrl }) => baseUrl);
    const { apiKey, call } = await prepare(fleet);
    const tools = await makeTools(call);
    const takeovers = watchTakeovers(fleet, send, apiKey);
    const shaken = { fleet, postgres, journal, takeovers };
    const plan = planFaults(createRandom(options.seed), options.seconds, options.nodes);
    say(`Shaking for ${options.seconds} s with --seed ${options.seed}: ${plan.length} faults`);
    const began = performance.now();
    const calm = happen(plan, shaken);
    const load = { send, baseUrls, apiKey, journal, calm };
    const outcomes = await askAll(load, tools, options);
    const loadSeconds = (performance.now() - began) / 1_000;
    await calm;
    say(`Checking ${outcomes.length} orders`);
    await awaitQuiet(createReader(send, baseUrls[0] ?? "", apiKey)).catch((error: unknown) =>
      journal.complain("every run ends", String(error)),
    );
    await takeovers.stop();
    const codeStarts = fleet.codeStarts();
    const databaseUrl = postgres.url;
    const scene = { outcomes, codeStarts, journal, send, baseUrls, apiKey, databaseUrl };
    await checkAll(scene).catch((error: unknown) =>
      journal.complain("the checks can be made", causeOf(error)),
    );
    const complaints = journal.complaints();
    const logs = complaints.size === 0 ? undefined : join(workDir, "logs");
    if (logs !== undefined) fleet.saveLogs(logs);
    const takeoversMs = takeovers.latenciesMs();
    const counts = journal.counts();
    const orders = outcomes.length;
    return { options, complaints, counts, orders, loadSeconds, takeoversMs, logs };
  } finally {
    close();
    await fleet?.stop();
    await postgres.remove();
    if (journal.complaints().size === 0) await rm(workDir, { recursive: true, force: true });
  }
}

async function prepare({ publicUrl }: Fleet) {
  const { apiKey } = await signUpOwner(publicUrl);
  const call = createCall(
    () => publicUrl,
    () => ({ authorization: `Bearer ${apiKey}` }),
  );
  return { apiKey, call };
}

type Load = Omit<ClientContext, "random" | "deadline"> & { calm: Promise<void> };

/** Lets every client carry out one order after another until the time is over; gives all outcomes. */
async function askAll(load: Load, tools: Tools, options: Options): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const end = performance.now() + options.seconds * 1_000;
  let deadline = Number.POSITIVE_INFINITY;
  void load.calm.then(() => (deadline = Math.max(performance.now(), end) + drainMs));
  let number = 0;
  const work = async (client: number) => {
    const random = createRandom(options.seed + client + 1);
    const context: ClientContext = { ...load, random, deadline: () => deadline };
    while (performance.now() < end) {
      number += 1;
      outcomes.push(await carryOut(context, chooseOrder(random, tools, number)));
      await sleep(random.between(0, 40));
    }
  };
  await Promise.all(Array.from({ length: options.clients }, (_, client) => work(client)));
  return outcomes;
}

/** Waits until no run is under way. Throws when some stay. */
async function awaitQuiet(reader: ReturnType<typeof createReader>): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const running = await reader.readAll("/runs?status=running&limit=200");
    if (running.length === 0) return;
    if (performance.now() > deadline) throw new Error(`still running: ${JSON.stringify(running)}`);
    await sleep(250);
  }
}
