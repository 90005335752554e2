export const attempt = {
  tries: "to fill the heap with properties and symbols",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
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
