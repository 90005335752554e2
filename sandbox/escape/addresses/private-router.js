export const attempt = {
  tries: "to reach a router",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://192.168.1.1"],
  ends: { code: "egress_denied", message: "a private address" },
  hostUsage: { host: "192.168.1.1", requests: 0, reason: "a private address" },
};

export default async (input) => {
  await fetch(`http://192.168.1.1/reached`);
  return "got through";
};
