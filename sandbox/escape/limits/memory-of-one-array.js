export const attempt = {
  tries: "to fill the heap with one growing array",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const all = [];
  for (;;) all.push(1.1);
};
