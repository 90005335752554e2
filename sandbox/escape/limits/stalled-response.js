export const attempt = {
  tries: "to wait forever for the rest of a response",
  blockedBecause: "a run has a time limit, and its end closes all connections",
  allowedHosts: ["http://{witness}"],
  limits: { wallMs: 800 },
  ends: { code: "timeout" },
  mayBeSeen: ["GET /drip"],
};

export default async ({ witness }) => {
  await (await fetch(`http://${witness}/drip`)).text();
  return "got through";
};
