export const attempt = {
  tries: "to fill the heap with a map and a set",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const map = new Map();
  const set = new Set();
  for (let i = 0; ; i++) {
    map.set(i, new Array(200).fill(i));
    set.add({ i });
  }
};
