export const attempt = {
  tries: "to reach the secrets of a cloud machine at an address that looks public",
  refusedBecause: "the address that a name or spelling comes to is looked at, and is not public",
  allowedHosts: ["http://168.63.129.16"],
  ends: { code: "egress_denied", message: "link-local" },
  hostUsage: { host: "168.63.129.16", requests: 0, reason: "link-local" },
};

export default async (input) => {
  await fetch(`http://168.63.129.16/reached`);
  return "got through";
};
