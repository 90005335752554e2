export const attempt = {
  tries: "to fill the heap with joined strings",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const parts = new Array(1e6).fill("abcdefghij");
  const all = [];
  for (let i = 0; ; i++) all.push(parts.join(`${i}`));
};
