export const attempt = {
  tries: "to fill the heap with parsed JSON",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const text = JSON.stringify(new Array(1e5).fill({ a: [1, { b: 2.5 }] }));
  const all = [];
  for (;;) all.push(JSON.parse(text));
};
