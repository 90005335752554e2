export const attempt = {
  tries: "to fill the heap with strings by joining",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const parts = new Array(1e6).fill("abcdefghij");
  const all = [];
  for (let i = 0; ; i++) all.push(parts.join(`${i}`));
};
