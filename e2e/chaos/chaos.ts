import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCall } from "../src/http.ts";
import { startPostgres } from "../src/postgres-server.ts";
import type { PostgresServer } from "../src/postgres-server.ts";
import { signUpOwner } from "../src/server.ts";
import { checkAll } from "./check.ts";
import type { Outcome } from "./client.ts";
import { serveEffects } from "./effects.ts";
import type { Effects } from "./effects.ts";
import { happen, planFaults } from "./faults.ts";
import { startFleet } from "./fleet.ts";
import type { Fleet } from "./fleet.ts";
import { createJournal } from "./journal.ts";
import type { Journal } from "./journal.ts";
import { askAll } from "./load.ts";
import type { Options } from "./options.ts";
import { makeTools } from "./orders.ts";
import { createRandom } from "./random.ts";
import type { Report } from "./report.ts";
import { createSend } from "./send.ts";
import type { Send } from "./send.ts";
import { watchTakeovers } from "./takeovers.ts";
import type { Takeover } from "./takeovers.ts";

/** How long after the last fault each client may take to get its last response. */
const drainMs = 90_000;

/**
 * Starts nodes on a separate PostgreSQL server, runs clients while nodes, database and connections fail, and checks at
 * the end that no run was lost and none ran twice. The report lists violated guarantees.
 */
export async function runChaos(options: Options, print: (line: string) => void): Promise<Report> {
  const postgres = await startPostgres();
  const workDir = await mkdtemp(join(tmpdir(), "toolhost-chaos-"));
  const { send, close } = createSend();
  const journal = createJournal();
  const violations = journal.violations();
  const effects = await serveEffects();
  let fleet: Fleet | undefined;
  try {
    print("Starting the nodes");
    fleet = await startFleet({
      count: options.nodes,
      workDir,
      databaseUrl: postgres.url,
      isOneClockWrong: true,
      onCrash: (name, printed) =>
        journal.reportViolation("nodes do not crash", `${name}: ${printed}`),
      // Fewer than there are clients, so that some runs wait in the queue.
      settings: {
        WORKSPACE_MAX_CONCURRENT_RUNS: String(Math.ceil(options.clients * 0.7)),
        EGRESS_PRIVATE_HOSTS: effects.privateHost,
      },
    });
    const ground: Ground = {
      postgres,
      fleet,
      send,
      journal,
      effects,
      ...(await signUpOwner(fleet.publicUrl)),
    };
    const shaken = await shake(ground, options, print);
    const { outcomes, ...figures } = shaken;
    print(`Checking ${outcomes.length} orders`);
    await checkAll({
      ...ground,
      outcomes,
      codeStarts: fleet.codeStarts(),
      effects: effects.counts(),
      baseUrls: fleet.nodes.map(({ baseUrl }) => baseUrl),
      settings: { DATABASE_URL: postgres.url },
    });
    const logs = violations.size === 0 ? undefined : join(workDir, "logs");
    if (logs !== undefined) fleet.saveLogs(logs);
    const ordersMs = outcomes.map(({ tookMs }) => tookMs);
    return { options, violations, counts: journal.counts(), ordersMs, ...figures, logs };
  } finally {
    close();
    effects.close();
    await fleet?.stop();
    await postgres.remove();
    if (violations.size === 0) await rm(workDir, { recursive: true, force: true });
  }
}

type Ground = {
  postgres: PostgresServer;
  fleet: Fleet;
  send: Send;
  journal: Journal;
  effects: Effects;
  apiKey: string;
};

type Shaken = { outcomes: Outcome[]; loadSeconds: number; takeovers: readonly Takeover[] };

/** Runs clients and faults until the time has elapsed and all clients have their responses. */
async function shake(
  ground: Ground,
  options: Options,
  print: (line: string) => void,
): Promise<Shaken> {
  const { fleet, send, journal, apiKey } = ground;
  const { seconds, seed, nodes, clients } = options;
  const call = createCall(
    () => fleet.publicUrl,
    () => ({ authorization: `Bearer ${apiKey}` }),
  );
  const tools = await makeTools(call, ground.effects);
  const takeovers = watchTakeovers(fleet, send, apiKey);
  const plan = planFaults(createRandom(seed), seconds, nodes);
  print(`Running for ${seconds} s with --seed ${seed}: ${plan.length} faults`);
  const startedAt = performance.now();
  const overAt = startedAt + seconds * 1_000;
  let deadline = Number.POSITIVE_INFINITY;
  const calm = happen(plan, { ...ground, takeovers, print }).then(() => {
    deadline = Math.max(performance.now(), overAt) + drainMs;
  });
  const outcomes = await askAll({
    send,
    journal,
    apiKey,
    tools,
    clients,
    seed,
    baseUrls: fleet.nodes.map(({ baseUrl }) => baseUrl),
    isOver: () => performance.now() > overAt,
    deadline: () => deadline,
  });
  const loadSeconds = (performance.now() - startedAt) / 1_000;
  await calm;
  await takeovers.stop();
  return { outcomes, loadSeconds, takeovers: takeovers.found() };
}
