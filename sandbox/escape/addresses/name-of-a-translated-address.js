export const attempt = {
  tries: "to reach the service by a name with a NAT64 address",
  refusedBecause: "the address that a name or spelling comes to is looked at, and is not public",
  allowedHosts: ["http://translated.example:{ownPort}"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "translated.example:{ownPort}", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://translated.example:${input.ownPort}/reached`);
  return "got through";
};
