export const attempt = {
  tries: "to reach a link-local address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://[fe80::1]:{ownPort}"],
  ends: { code: "egress_denied", message: "link-local" },
  hostUsage: { host: "[fe80::1]:{ownPort}", requests: 0, reason: "link-local" },
};

export default async (input) => {
  await fetch(`http://[fe80::1]:${input.ownPort}/reached`);
  return "got through";
};
