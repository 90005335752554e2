export const attempt = {
  tries: "to loop forever in one regular expression",
  blockedBecause: "the watchdog counts the CPU time of its process",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () => /^(a+)+$/.test(`${"a".repeat(60)}b`);
