export const attempt = {
  tries: "to hold every connection that the service has for requests",
  refusedBecause: "a process has a number of connections, and each other keeps some for itself",
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
