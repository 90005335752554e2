export const attempt = {
  tries: "to use up all connections of the gate",
  blockedBecause: "connections are limited per process, and some are reserved for each",
  allowedHosts: ["http://{witness}"],
  egress: { parallelRequests: 2 },
  limits: { cpuMs: 15000, memoryBytes: 201326592 },
  mayBeSeen: ["GET /never"],
  ends: { says: "held" },
};

export default async ({ witness }) => {
  const all = Array.from({ length: 400 }, () =>
    fetch(`http://${witness}/never`).catch(() => "refused"),
  );
  await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, 3000))]);
  return "held";
};
