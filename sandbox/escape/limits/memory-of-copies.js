export const attempt = {
  tries: "to double an array again and again",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  let all = [1.5];
  for (;;) all = all.concat(all);
};
