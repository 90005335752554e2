export const attempt = {
  tries: "to be redirected to the service by an external host",
  blockedBecause: "each redirect is a separate request",
  allowedHosts: ["http://{witness}", "http://{own}"],
  seen: ["GET /to"],
  ends: { code: "egress_denied", message: "an address of this machine" },
  hostUsage: { host: "{own}", requests: 0, reason: "an address of this machine" },
};

export default async ({ witness, own }) => {
  await fetch(`http://${witness}/to?url=http://${own}/reached`);
  return "got through";
};
