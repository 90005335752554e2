export const attempt = {
  tries: "to reach the broadcast address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://255.255.255.255"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "255.255.255.255", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://255.255.255.255/reached`);
  return "got through";
};
