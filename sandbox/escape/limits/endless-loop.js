export const attempt = {
  tries: "to loop forever",
  blockedBecause: "the watchdog counts the CPU time of its process",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () => {
  for (;;);
};
