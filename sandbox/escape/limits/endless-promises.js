export const attempt = {
  tries: "to compute for ever in promises, so that nothing else gets a turn",
  refusedBecause: "the watchdog is outside of its process",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit|memory_limit" },
};

export default async () => {
  const spin = () => Promise.resolve().then(spin);
  await spin();
};
