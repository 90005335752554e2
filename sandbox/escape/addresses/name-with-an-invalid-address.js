export const attempt = {
  tries: "to reach a host whose name server returns an invalid address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://garbage.example:{ownPort}"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "garbage.example:{ownPort}", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://garbage.example:${input.ownPort}/reached`);
  return "got through";
};
