export const attempt = {
  tries: "to reach a multicast group",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://224.0.0.1"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "224.0.0.1", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://224.0.0.1/reached`);
  return "got through";
};
