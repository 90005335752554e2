export const attempt = {
  tries: "to receive for ever",
  refusedBecause: "a run may receive so many bytes",
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
