export const attempt = {
  tries: "to fill the heap with parsed JSON",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const text = JSON.stringify(new Array(1e5).fill({ a: [1, { b: 2.5 }] }));
  const all = [];
  for (;;) all.push(JSON.parse(text));
};
