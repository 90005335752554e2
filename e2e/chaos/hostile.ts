import process from "node:process";
import { startServer } from "../src/server.ts";
import { measureHostile, prepareHostile } from "../src/send-hostile.ts";

/**
 * What each request of the hostile corpus does to the event loop, longest first: `npm run chaos:hostile`. Words
 * after it keep the requests whose names hold one of them.
 */
const words = process.argv.slice(2);
const server = await startServer({ WORKSPACE_WORKER_CPU_MS_PER_MINUTE: "0" });
try {
  const requests = (await prepareHostile(server)).filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  const effects = [];
  for (const request of requests) effects.push(await measureHostile(server, request));
  const format = (ms: number) => ms.toFixed(0).padStart(7);
  process.stdout.write("    CPU   delay    took  status  request\n");
  for (const effect of effects.toSorted((one, other) => other.cpuMs - one.cpuMs)) {
    const { name, status, tookMs, cpuMs, delayMs } = effect;
    process.stdout.write(
      `${[cpuMs, delayMs, tookMs].map(format).join(" ")}     ${status}  ${name}\n`,
    );
  }
} finally {
  await server.stop();
}
