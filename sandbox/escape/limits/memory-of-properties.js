export const attempt = {
  tries: "to fill the heap with properties and symbols",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const all = [];
  for (;;) {
    const object = {};
    for (let i = 0; i < 1e4; i++) {
      object[`property${all.length}-${i}`] = i;
      object[Symbol(i)] = [i];
    }
    all.push(object);
  }
};
