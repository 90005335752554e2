export const attempt = {
  tries: "to fill memory with encoded and decoded text",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const all = [];
  for (let i = 0; ; i++) {
    const bytes = new TextEncoder().encode("ü".repeat(1e6) + i);
    all.push(bytes, new TextDecoder().decode(bytes));
  }
};
