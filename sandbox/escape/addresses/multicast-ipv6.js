export const attempt = {
  tries: "to reach all nodes on the network",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://[ff02::1]:{ownPort}"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "[ff02::1]:{ownPort}", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://[ff02::1]:${input.ownPort}/reached`);
  return "got through";
};
