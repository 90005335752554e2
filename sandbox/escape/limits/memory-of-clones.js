export const attempt = {
  tries: "to fill the heap with structured clones",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const list = Array.from({ length: 1e5 }, (_, i) => ({ i }));
  const all = [];
  for (;;) all.push(structuredClone(list));
};
