export const attempt = {
  tries: "to loop forever in promises, so that nothing else runs",
  blockedBecause: "the watchdog runs outside the process",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit|memory_limit" },
};

export default async () => {
  const spin = () => Promise.resolve().then(spin);
  await spin();
};
