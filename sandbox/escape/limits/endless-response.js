export const attempt = {
  tries: "to receive an endless response",
  blockedBecause: "the bytes that a run receives are limited",
  allowedHosts: ["http://{witness}"],
  egress: { bytesReceived: 500000 },
  limits: { cpuMs: 10000 },
  seen: ["GET /endless"],
  ends: { code: "egress_denied", message: "receive at most 500000 bytes" },
};

export default async ({ witness }) => {
  const answer = await fetch(`http://${witness}/endless`);
  return `got through: ${(await answer.text()).length}`;
};
