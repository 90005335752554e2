export const attempt = {
  tries: "to fill memory with buffers that grow",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const all = [];
  for (;;) {
    const buffer = new ArrayBuffer(8, { maxByteLength: 16e6 });
    buffer.resize(16e6);
    new Uint8Array(buffer).fill(1);
    all.push(buffer);
  }
};
