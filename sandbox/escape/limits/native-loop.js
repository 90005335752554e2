export const attempt = {
  tries: "to loop forever within one native call",
  blockedBecause: "the watchdog kills from outside",
  limits: { cpuMs: 300, memoryBytes: 67108864 },
  ends: { code: "cpu_limit|memory_limit|tool_error" },
};

export default () => {
  let x = 3n ** 100000n;
  for (;;) x *= x;
};
