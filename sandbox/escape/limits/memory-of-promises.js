export const attempt = {
  tries: "to fill the heap with promises that wait for each other",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default async () => {
  const all = [];
  for (;;) {
    const waiting = new Promise(() => {});
    for (let i = 0; i < 1e4; i++) all.push(waiting.then(() => new Array(i)));
  }
};
