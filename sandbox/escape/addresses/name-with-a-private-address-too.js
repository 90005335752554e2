export const attempt = {
  tries: "to reach a private host with a name that also has a public address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://mixed.example:{ownPort}"],
  ends: { code: "egress_denied", message: "resolves to a private address" },
  hostUsage: {
    host: "mixed.example:{ownPort}",
    requests: 0,
    reason: "resolves to a private address",
  },
};

export default async (input) => {
  await fetch(`http://mixed.example:${input.ownPort}/reached`);
  return "got through";
};
