export const attempt = {
  tries: "to loop forever while it is loaded",
  blockedBecause: "the limits apply to loading, too",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

for (;;);
export default () => "got through";
