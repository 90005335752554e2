export const attempt = {
  tries: "to return a toJSON method that loops",
  blockedBecause: "the limits apply to serializing the output, too",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () => ({
  toJSON() {
    for (;;);
  },
});
