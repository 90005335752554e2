export const attempt = {
  tries: "to fill the heap with the matches of a regular expression",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const text = "ab".repeat(2e5);
  const all = [];
  for (;;) all.push([...text.matchAll(/(a)(b)/g)]);
};
