export const attempt = {
  tries: "to reach a private network",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://10.0.0.1"],
  ends: { code: "egress_denied", message: "a private address" },
  hostUsage: { host: "10.0.0.1", requests: 0, reason: "a private address" },
};

export default async (input) => {
  await fetch(`http://10.0.0.1/reached`);
  return "got through";
};
