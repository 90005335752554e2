export const attempt = {
  tries: "to ask for more than the heap in one call",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const all = [];
  for (;;) all.push(new Array(3e7).fill(all));
};
