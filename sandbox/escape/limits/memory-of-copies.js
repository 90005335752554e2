export const attempt = {
  tries: "to fill the heap by repeatedly doubling an array",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  let all = [1.5];
  for (;;) all = all.concat(all);
};
