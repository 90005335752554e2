export const attempt = {
  tries: "to reach the service at an IPv4-mapped address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://[::ffff:127.0.0.1]:{ownPort}"],
  ends: { code: "egress_denied", message: "an address of this machine" },
  hostUsage: {
    host: "[::ffff:7f00:1]:{ownPort}",
    requests: 0,
    reason: "an address of this machine",
  },
};

export default async (input) => {
  await fetch(`http://[::ffff:127.0.0.1]:${input.ownPort}/reached`);
  return "got through";
};
