export const attempt = {
  tries: "to reach a cloud metadata service over IPv6",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://[fd00:ec2::254]"],
  ends: { code: "egress_denied", message: "a private address" },
  hostUsage: { host: "[fd00:ec2::254]", requests: 0, reason: "a private address" },
};

export default async (input) => {
  await fetch(`http://[fd00:ec2::254]/reached`);
  return "got through";
};
