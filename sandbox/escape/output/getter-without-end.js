export const attempt = {
  tries: "to return a getter that never comes back",
  refusedBecause: "writing the output is within the limits of the run",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () => ({
  get endless() {
    for (;;);
  },
});
