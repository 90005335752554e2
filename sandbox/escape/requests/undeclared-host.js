export const attempt = {
  tries: "to reach a host that it does not declare",
  blockedBecause: "only declared hosts are allowed",
  allowedHosts: ["api.example.com", "http://*.example.com"],
  ends: { code: "egress_denied", message: "not in the tool's allowedHosts" },
  hostUsage: { host: "{other}", requests: 0, reason: "not in the tool" },
};

export default async ({ other }) => {
  await fetch(`http://${other}/reached`);
  return "got through";
};
