export const attempt = {
  tries: "to fill memory with typed arrays of every kind",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const kinds = [Float64Array, Int32Array, Uint16Array, Uint8ClampedArray];
  const all = [];
  for (;;) for (const Kind of kinds) all.push(new Kind(1e6).fill(7));
};
