export const attempt = {
  tries: "to reach the service with a shortened address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://127.0.0.1:{ownPort}"],
  ends: { code: "egress_denied", message: "an address of this machine" },
  hostUsage: { host: "127.0.0.1:{ownPort}", requests: 0, reason: "an address of this machine" },
};

export default async (input) => {
  await fetch(`http://127.1:${input.ownPort}/reached`);
  return "got through";
};
