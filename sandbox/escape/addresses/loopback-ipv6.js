export const attempt = {
  tries: "to reach the service at ::1",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://[::1]:{ownPort}"],
  ends: { code: "egress_denied", message: "an address of this machine" },
  hostUsage: { host: "[::1]:{ownPort}", requests: 0, reason: "an address of this machine" },
};

export default async (input) => {
  await fetch(`http://[::1]:${input.ownPort}/reached`);
  return "got through";
};
