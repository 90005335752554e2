export const attempt = {
  tries: "to compute for ever in one regular expression",
  refusedBecause: "the watchdog counts the CPU time of its process",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () => /^(a+)+$/.test(`${"a".repeat(60)}b`);
