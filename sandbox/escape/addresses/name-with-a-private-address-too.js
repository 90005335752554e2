export const attempt = {
  tries: "to reach a private host by a name that has a public address as well",
  refusedBecause: "the address that a name or spelling comes to is looked at, and is not public",
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
