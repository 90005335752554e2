export const attempt = {
  tries: "to fill the memory of WebAssembly",
  blockedBecause: "the memory of the process is limited",
  limits: { memoryBytes: 67108864, cpuMs: 10000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const all = [];
  for (;;) {
    const memory = new WebAssembly.Memory({ initial: 512 });
    new Uint8Array(memory.buffer).fill(1);
    all.push(memory);
  }
};
