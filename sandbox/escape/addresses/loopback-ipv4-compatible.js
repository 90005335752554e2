export const attempt = {
  tries: "to reach the service at an IPv4-compatible address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://[::127.0.0.1]:{ownPort}"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "[::7f00:1]:{ownPort}", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://[::127.0.0.1]:${input.ownPort}/reached`);
  return "got through";
};
