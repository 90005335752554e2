export const attempt = {
  tries: "to reach a cloud metadata service",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://169.254.169.254"],
  ends: { code: "egress_denied", message: "link-local" },
  hostUsage: { host: "169.254.169.254", requests: 0, reason: "link-local" },
};

export default async (input) => {
  await fetch(`http://169.254.169.254/reached`);
  return "got through";
};
