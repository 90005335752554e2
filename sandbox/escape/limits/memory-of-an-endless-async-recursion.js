export const attempt = {
  tries: "to recurse forever without using the stack",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default async () => {
  const deeper = async (n) => {
    await null;
    const held = new Array(1000).fill(n);
    await deeper(n + 1);
    return held;
  };
  return deeper(0);
};
