/** Polls until there is a result. Throws if there is none in time. It checks liveness, not speed. */
export async function until<T>(
  what: string,
  limitMs: number,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
