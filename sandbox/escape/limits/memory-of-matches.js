export const attempt = {
  tries: "to fill the heap with the matches of a regular expression",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const text = "ab".repeat(2e5);
  const all = [];
  for (;;) all.push([...text.matchAll(/(a)(b)/g)]);
};
