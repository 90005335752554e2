export const attempt = {
  tries: "to fill the heap with promises that wait for each other",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default async () => {
  const all = [];
  for (;;) {
    const waiting = new Promise(() => {});
    for (let i = 0; i < 1e4; i++) all.push(waiting.then(() => new Array(i)));
  }
};
