export const attempt = {
  tries: "to reach a multicast group",
  refusedBecause: "the address that a name or spelling comes to is looked at, and is not public",
  allowedHosts: ["http://224.0.0.1"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "224.0.0.1", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://224.0.0.1/reached`);
  return "got through";
};
