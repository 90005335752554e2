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
  // Slack posts one message per second into a channel.
  slack.hasRateLimits = true;
  const startedAt = performance.now();
  const deliveries = await Promise.all(
    Array.from({ length: messages }, (_, n) =>
      slack.mention(team, user, `run ${tool} {"n": ${n}}`),
    ),
  );
  const first = team.messages.find(({ ts }) => ts === deliveries[0]?.ts);
  await until("the first is acknowledged", 10_000, () => (first?.reactions.length ?? 0) > 0);
  const firstSign = performance.now() - startedAt;
  const counts = () => deliveries.map(({ ts }) => answersIn(team, ts).length);
  await until("all are answered", 300_000, () => counts().every((count) => count >= 1));
  const seconds = (performance.now() - startedAt) / 1_000;
  await sleep(3_000);
  const doubled = counts().filter((count) => count > 1).length;
  process.stdout.write(
    `under Slack's limits: first reaction after ${firstSign.toFixed(0)} ms (goal: below 1000), all replies after ${seconds.toFixed(1)} s (goal: below ${(messages * 1.5).toFixed(0)}), doubled ${doubled}\n`,
  );
} finally {
  await server.stop();
  await slack.close();
}
