export const attempt = {
  tries: "to fill the heap with errors and their stacks",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
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
