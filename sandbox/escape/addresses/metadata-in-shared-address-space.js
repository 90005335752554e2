export const attempt = {
  tries: "to reach a cloud metadata service in shared address space",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://100.100.100.200"],
  ends: { code: "egress_denied", message: "a private address" },
  hostUsage: { host: "100.100.100.200", requests: 0, reason: "a private address" },
};

export default async (input) => {
  await fetch(`http://100.100.100.200/reached`);
  return "got through";
};
