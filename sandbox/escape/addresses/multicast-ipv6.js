export const attempt = {
  tries: "to reach all nodes of the network",
  refusedBecause: "the address that a name or spelling comes to is looked at, and is not public",
  allowedHosts: ["http://[ff02::1]:{ownPort}"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "[ff02::1]:{ownPort}", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://[ff02::1]:${input.ownPort}/reached`);
  return "got through";
};
