import type { Page } from "playwright-core";
import { median, quantile } from "./load.ts";

/** One interaction with a page: a key, a click or a tap. */
export type Interaction = {
  name: string;
  /** Brings the page to the state that the interaction starts from. It is not measured. */
  prepare?: (page: Page, round: number) => Promise<void>;
  /** Interacts once. `round` counts from 0. */
  act: (page: Page, round: number) => Promise<void>;
  /** Shows that the interaction had its effect, so that a click that misses is not measured. */
  shows: (page: Page, round: number) => Promise<void>;
};

/** Interactions with one page. */
export type InteractionGroup = {
  path: string;
  ready: (page: Page) => Promise<void>;
  interactions: readonly Interaction[];
};

export type Figure = {
  path: string;
  name: string;
  samples: number;
  p75Ms: number;
  worstMs: number;
  /** The median CPU time of the page's main thread, which other programs affect less. */
  cpuMs: number;
};

const warmUps = 1;
/** How long after its paint an event is reported at most. */
const reportMs = 250;

const observe = `globalThis.slowestMs = 0;
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries())
    if (interactionId > 0) globalThis.slowestMs = Math.max(globalThis.slowestMs, duration);
}).observe({ type: "event", durationThreshold: 16 });`;

/** How long a page loads code ahead of its use. */
const preloadMs = 1_500;

/** Measures each interaction on a page that was loaded for it. The first of each is a warm-up. */
export async function measureGroup(
  page: Page,
  { path, ready, interactions }: InteractionGroup,
  { baseUrl, rounds, only }: { baseUrl: string; rounds: number; only: string },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpuMs = async () => {
    const { metrics } = await devTools.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  for (const { name, prepare, act, shows } of interactions) {
    if (!name.includes(only)) continue;
    await page.goto(new URL(path, baseUrl).href);
    await ready(page);
    await page.waitForTimeout(preloadMs);
    await page.evaluate(observe);
    const taken: number[] = [];
    const cpu: number[] = [];
    for (let round = -warmUps; round < rounds; round += 1) {
      const at = round + warmUps;
      await prepare?.(page, at);
      await page.waitForTimeout(reportMs);
      await page.evaluate("globalThis.slowestMs = 0");
      const before = await cpuMs();
      await act(page, at);
      await shows(page, at);
      await page.waitForTimeout(reportMs);
      if (round < 0) continue;
      cpu.push((await cpuMs()) - before);
      taken.push(Number(await page.evaluate("globalThis.slowestMs")));
    }
    figures.push({
      path,
      name,
      samples: taken.length,
      p75Ms: quantile(taken, 0.75),
      worstMs: Math.max(...taken),
      cpuMs: median(cpu),
    });
  }
  return figures;
}
