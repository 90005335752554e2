/** Fetches a URL repeatedly without a sandbox. */

process.on("message", (task: { url: string; count: number }) => {
  void answer(task);
});
process.send?.({});

async function answer({ url, count }: { url: string; count: number }): Promise<void> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  for (let done = 0; done < count; done++) {
    const response = await fetch(url);
    await response.text();
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.({
    cpuMs: (user + system) / 1_000 / count,
    ms: (performance.now() - startedAt) / count,
  });
}
