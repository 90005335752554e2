export const attempt = {
  tries: "to fill the heap with structured clones",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const list = Array.from({ length: 1e5 }, (_, i) => ({ i }));
  const all = [];
  for (;;) all.push(structuredClone(list));
};
