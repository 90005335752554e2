export const attempt = {
  tries: "to reach a private host with a public name",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://private.example:{ownPort}"],
  ends: { code: "egress_denied", message: "resolves to a private address" },
  hostUsage: {
    host: "private.example:{ownPort}",
    requests: 0,
    reason: "resolves to a private address",
  },
};

export default async (input) => {
  await fetch(`http://private.example:${input.ownPort}/reached`);
  return "got through";
};
