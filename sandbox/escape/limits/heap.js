export const attempt = {
  tries: "to fill the heap",
  blockedBecause: "the heap size is limited, and the watchdog measures memory",
  limits: { memoryBytes: 67108864, cpuMs: 10000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const all = [];
  for (;;) all.push(new Array(1e5).fill(Math.random()));
};
