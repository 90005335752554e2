export const attempt = {
  tries: "to fill memory with encoded and decoded text",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
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
