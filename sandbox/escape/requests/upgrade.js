export const attempt = {
  tries: "to turn a request into a raw connection",
  blockedBecause: "the gate denies every upgrade",
  ends: { code: "egress_denied", message: "WebSockets" },
  hostUsage: { host: "{witness}", requests: 0, reason: "WebSockets" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const answer = await fetch(`http://${witness}/reached`, { headers: { upgrade: "websocket" } });
  return `got through: ${answer.status}`;
};
