export const attempt = {
  tries: "to send a thousand requests at once",
  blockedBecause: "concurrent requests and the total number are limited",
  allowedHosts: ["http://{witness}"],
  egress: { parallelRequests: 5, requests: 200 },
  limits: { cpuMs: 10000, memoryBytes: 201326592 },
  ends: { code: "egress_denied", message: "has used all of its 200 requests" },
  mayBeSeen: ["GET /never"],
};

export default async ({ witness }) => {
  const all = Array.from({ length: 1000 }, () => fetch(`http://${witness}/never`));
  const failed = await Promise.any(
    all.map((one) =>
      one.then(
        () => Promise.reject(new Error("got through")),
        (error) => error,
      ),
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  throw failed;
};
