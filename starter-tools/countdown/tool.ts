type Input = { seconds: number; stepSeconds?: number; message?: string };
type Output = { seconds: number; steps: number; message: string };

/** Counts down in real time, and reports progress and writes a log line at every step. */
export default async function countdown(input: Input, ctx: ToolContext): Promise<Output> {
  const { seconds, stepSeconds = 1, message = "Done." } = input;
  const startedAt = Date.now();
  console.info(`Run ${ctx.runId} counts down from ${seconds} seconds.`);

  let steps = 0;
  for (let elapsed = 0; elapsed < seconds; steps += 1) {
    const left = seconds - elapsed;
    ctx.progress(elapsed / seconds, `${left} s left`);
    if (left <= 3) console.warn(`${left}…`);
    else console.log(`${left} s left`);

    elapsed = Math.min(elapsed + stepSeconds, seconds);
    // Each step waits for a moment counted from the start, so that small delays do not add up.
    await sleep(startedAt + elapsed * 1000 - Date.now(), ctx.signal);
  }

  ctx.progress(1, message);
  console.debug(`It took ${Date.now() - startedAt} ms.`);
  return { seconds, steps, message };
}

/** Waits, or throws as soon as the run is cancelled. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, ms));
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
  signal.throwIfAborted();
}
