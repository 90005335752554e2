export const attempt = {
  tries: "to fill the heap with a map and a set",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const map = new Map();
  const set = new Set();
  for (let i = 0; ; i++) {
    map.set(i, new Array(200).fill(i));
    set.add({ i });
  }
};
