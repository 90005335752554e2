import { startChromium } from "../src/browser.ts";
import { startServer } from "../src/server.ts";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { interactionGroups } from "./console-interactions.ts";
import { fillServer } from "./console-rows.ts";
import { measureGroup } from "./interactions.ts";
import type { Figure } from "./interactions.ts";
import { describeMachine } from "./machine.ts";
import { endWithUsage, parseOptions } from "./options.ts";
import { fixed, table } from "./table.ts";

/** Measures the time from an interaction with the console to the next paint, with many tools and runs. */

exitOnSignals();

const { values: options } = parseOptions({
  options: {
    tools: { type: "string", default: "2000" },
    runs: { type: "string", default: "20000" },
    rounds: { type: "string", default: "10" },
    only: { type: "string", default: "" },
  },
});
const [tools, runs, rounds] = [options.tools, options.runs, options.rounds].map(Number);
if (
  tools === undefined ||
  runs === undefined ||
  rounds === undefined ||
  !(tools * runs * rounds > 0)
)
  endWithUsage("--tools, --runs and --rounds take a number above 0.");

const folder = makeTemporaryFolder("bench-console");
const { cores, processor, node, loadAverage } = describeMachine(folder);
const server = await startServer({
  WORKSPACE_MAX_TOOLS: "0",
  LOG_LEVEL: "warn",
});
const browser = await startChromium();
try {
  process.stderr.write(`Creating ${tools} tools and ${runs} runs\n`);
  await fillServer(server, { tools, runs });
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const [name = "", ...value] = server.cookie.split("=");
  await context.addCookies([{ name, value: value.join("="), url: server.baseUrl }]);
  const figures: Figure[] = [];
  for (const group of interactionGroups) {
    process.stderr.write(`Measuring ${group.path}\n`);
    const page = await context.newPage();
    const { baseUrl } = server;
    figures.push(...(await measureGroup(page, group, { baseUrl, rounds, only: options.only })));
    await page.close();
  }
  process.stdout.write(
    [
      `Machine: ${cores} cores (${processor}), Node ${node}, Chromium ${browser.version()}`,
      `Load average before: ${fixed(loadAverage)}. ${tools} tools, ${runs} runs.`,
      "Milliseconds from the input event to the next paint, in the browser's steps of 8 ms from 16 ms on, and the median CPU time of the page's main thread until it is idle.",
      "",
      ...table(report(figures)),
      "",
    ].join("\n"),
  );
} finally {
  await browser.close();
  await server.stop();
}

function report(figures: readonly Figure[]): string[][] {
  return [
    ["page", "interaction", "samples", "p75", "worst", "CPU"],
    ...figures.map(({ path, name, samples, p75Ms, worstMs, cpuMs }) => [
      path,
      name,
      `${samples}`,
      p75Ms < 16 ? "< 16" : `${p75Ms}`,
      worstMs < 16 ? "< 16" : `${worstMs}`,
      fixed(cpuMs, 0),
    ]),
  ];
}
