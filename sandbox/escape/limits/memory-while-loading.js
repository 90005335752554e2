export const attempt = {
  tries: "to fill the heap before it is called",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

const all = [];
for (;;) all.push(new Array(1e5).fill(1.1));

export default () => "got through";
