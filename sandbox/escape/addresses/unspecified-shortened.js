export const attempt = {
  tries: "to reach the service at 0",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://0.0.0.0:{ownPort}"],
  ends: { code: "egress_denied", message: "an address of this machine" },
  hostUsage: { host: "0.0.0.0:{ownPort}", requests: 0, reason: "an address of this machine" },
};

export default async (input) => {
  await fetch(`http://0:${input.ownPort}/reached`);
  return "got through";
};
