export const attempt = {
  tries: "to fill the heap with BigInts",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const large = 1n << 4000000n;
  const all = [];
  for (let i = 0n; ; i++) all.push(large + i);
};
