export const attempt = {
  tries: "to fill the heap with large integers",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const large = 1n << 4000000n;
  const all = [];
  for (let i = 0n; ; i++) all.push(large + i);
};
