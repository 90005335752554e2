export const attempt = {
  tries: "to reach a private network over IPv6",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://[fd12::1]"],
  ends: { code: "egress_denied", message: "a private address" },
  hostUsage: { host: "[fd12::1]", requests: 0, reason: "a private address" },
};

export default async (input) => {
  await fetch(`http://[fd12::1]/reached`);
  return "got through";
};
