export const attempt = {
  tries: "to compute for ever before it is called",
  refusedBecause: "loading is part of the run",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

for (;;);
export default () => "got through";
