export const attempt = {
  tries: "to reach the service with a name that resolves to an IPv4-mapped address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://mapped.example:{ownPort}"],
  ends: { code: "egress_denied", message: "an address of this machine" },
  hostUsage: {
    host: "mapped.example:{ownPort}",
    requests: 0,
    reason: "an address of this machine",
  },
};

export default async (input) => {
  await fetch(`http://mapped.example:${input.ownPort}/reached`);
  return "got through";
};
