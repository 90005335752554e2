export const attempt = {
  tries: "to return an object whose getter never returns",
  blockedBecause: "the limits apply to serializing the output, too",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () => ({
  get endless() {
    for (;;);
  },
});
