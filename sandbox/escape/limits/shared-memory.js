export const attempt = {
  tries: "to fill shared memory",
  blockedBecause: "the watchdog measures the memory of the process",
  limits: { memoryBytes: 67108864, cpuMs: 10000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const all = [];
  for (;;) all.push(new Uint8Array(new SharedArrayBuffer(8 << 20)).fill(1));
};
