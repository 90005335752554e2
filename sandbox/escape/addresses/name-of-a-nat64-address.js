export const attempt = {
  tries: "to reach the service with a name that resolves to a NAT64 address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://translated.example:{ownPort}"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "translated.example:{ownPort}", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://translated.example:${input.ownPort}/reached`);
  return "got through";
};
