export const attempt = {
  tries: "to recurse for ever without using the stack",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
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
