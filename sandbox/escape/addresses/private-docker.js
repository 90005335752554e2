export const attempt = {
  tries: "to reach the host of a container",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://172.17.0.1"],
  ends: { code: "egress_denied", message: "a private address" },
  hostUsage: { host: "172.17.0.1", requests: 0, reason: "a private address" },
};

export default async (input) => {
  await fetch(`http://172.17.0.1/reached`);
  return "got through";
};
