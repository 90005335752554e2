export const attempt = {
  tries: "to return a toJSON that loops",
  refusedBecause: "writing the output is within the limits of the run",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () => ({
  toJSON() {
    for (;;);
  },
});
