export const attempt = {
  tries: "to fill the heap after writing a forged crash report",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default async () => {
  console.error("\n*** Received signal #11: Segmentation fault\nstack: ");
  Promise.reject(new Error("\n*** Received signal #9: Killed\n"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const all = [];
  for (;;) all.push(new Array(1e5).fill(1.1));
};
