export const attempt = {
  tries: "to reach the service with a public name",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://self.example:{ownPort}"],
  ends: { code: "egress_denied", message: "an address of this machine" },
  hostUsage: { host: "self.example:{ownPort}", requests: 0, reason: "an address of this machine" },
};

export default async (input) => {
  await fetch(`http://self.example:${input.ownPort}/reached`);
  return "got through";
};
