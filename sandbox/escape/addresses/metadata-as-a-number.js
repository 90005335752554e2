export const attempt = {
  tries: "to reach a cloud metadata service with its address as one number",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://169.254.169.254"],
  ends: { code: "egress_denied", message: "link-local" },
  hostUsage: { host: "169.254.169.254", requests: 0, reason: "link-local" },
};

export default async (input) => {
  await fetch(`http://2852039166/reached`);
  return "got through";
};
