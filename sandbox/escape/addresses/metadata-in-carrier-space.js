export const attempt = {
  tries: "to reach the secrets of a cloud machine in shared address space",
  refusedBecause: "the address that a name or spelling comes to is looked at, and is not public",
  allowedHosts: ["http://100.100.100.200"],
  ends: { code: "egress_denied", message: "a private address" },
  hostUsage: { host: "100.100.100.200", requests: 0, reason: "a private address" },
};

export default async (input) => {
  await fetch(`http://100.100.100.200/reached`);
  return "got through";
};
