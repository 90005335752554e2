import { setTimeout as sleep } from "node:timers/promises";
import { answersIn, connectTeam } from "../src/slack.ts";
import { startServer } from "../src/server.ts";
import { until } from "../src/until.ts";
import { startFakeSlack } from "../../server/testing/fake-slack.ts";
import { quantile } from "./load.ts";

/**
 * Measures how long the service takes to acknowledge a message from Slack while a hundred arrive in a second, and
 * whether all get a reply. Uses PostgreSQL with TEST_DIALECT=postgres and TEST_DATABASE_URL.
 */

const messages = 100;
const goalMs = 500;

const slack = await startFakeSlack();
const server = await startServer(slack.settings);
try {
  const { team, user } = await connectTeam(server, slack);
  const tool = await server.makeTool("export default async (input) => ({ got: input });");
  for (const round of [1, 2, 3]) {
    const startedAt = performance.now();
    const sent = Array.from({ length: messages }, async (_, n) => {
      await sleep((n * 1_000) / messages);
      return slack.mention(team, user, `run ${tool} {"n": ${n}}`);
    });
    const deliveries = await Promise.all(sent);
    const isAnswered = () => deliveries.every(({ ts }) => answersIn(team, ts).length === 1);
    await until("all are answered", 120_000, isAnswered);
    const seconds = (performance.now() - startedAt) / 1_000;
    const waits = deliveries.map(({ ms }) => ms);
    const refused = deliveries.filter(({ status }) => status !== 200).length;
    const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)];
    process.stdout.write(
      `${round}: acknowledged p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (goal: below ${goalMs}), rejected ${refused}; all replies after ${seconds.toFixed(1)} s\n`,
    );
  }
} finally {
  await server.stop();
  await slack.close();
}
