export const attempt = {
  tries: "to fill the heap with errors and their stacks",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  Error.stackTraceLimit = 100;
  const all = [];
  const deeper = (n) =>
    n === 0 ? all.push(new Error(`${"x".repeat(1e5)}${all.length}`).stack) : deeper(n - 1);
  for (;;) deeper(50);
};
