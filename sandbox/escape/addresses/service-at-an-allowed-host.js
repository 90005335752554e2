export const attempt = {
  tries: "to reach the service on a host that the operator allowed",
  blockedBecause: "the service's port must be allowed explicitly",
  allowedHosts: ["http://{own}"],
  privateHosts: ["127.0.0.1"],
  ends: { code: "egress_denied", message: "an address of this machine" },
  hostUsage: { host: "{own}", requests: 0, reason: "an address of this machine" },
};

export default async ({ own }) => {
  await fetch(`http://${own}/reached`);
  return "got through";
};
