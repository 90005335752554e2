export const attempt = {
  tries: "to fill the heap after it has written another cause of death",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
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
