export const attempt = {
  tries: "to fill memory with resizable buffers",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
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
