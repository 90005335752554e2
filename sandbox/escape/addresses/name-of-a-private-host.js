export const attempt = {
  tries: "to reach a private host by a public name",
  refusedBecause: "the address that a name or spelling comes to is looked at, and is not public",
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
