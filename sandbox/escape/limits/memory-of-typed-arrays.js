export const attempt = {
  tries: "to fill memory with typed arrays of every kind",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const kinds = [Float64Array, Int32Array, Uint16Array, Uint8ClampedArray];
  const all = [];
  for (;;) for (const Kind of kinds) all.push(new Kind(1e6).fill(7));
};
