export const attempt = {
  tries: "to be redirected to an undeclared host",
  blockedBecause: "each redirect is a separate request",
  seen: ["GET /to"],
  ends: { code: "egress_denied", message: "do not allow port" },
  hostUsage: { host: "{other}", requests: 0, reason: "port" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness, other }) => {
  await fetch(`http://${witness}/to?url=http://${other}/reached`);
  return "got through";
};
