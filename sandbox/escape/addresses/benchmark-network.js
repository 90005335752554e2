export const attempt = {
  tries: "to reach a benchmarking network",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://198.18.0.1"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "198.18.0.1", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://198.18.0.1/reached`);
  return "got through";
};
