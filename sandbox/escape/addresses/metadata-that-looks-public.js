export const attempt = {
  tries: "to reach a cloud metadata service at an address that looks public",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://168.63.129.16"],
  ends: { code: "egress_denied", message: "link-local" },
  hostUsage: { host: "168.63.129.16", requests: 0, reason: "link-local" },
};

export default async (input) => {
  await fetch(`http://168.63.129.16/reached`);
  return "got through";
};
