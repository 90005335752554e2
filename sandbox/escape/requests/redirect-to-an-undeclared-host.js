export const attempt = {
  tries: "to be sent on to a host that it does not declare",
  refusedBecause: "each redirect is a request of its own",
  seen: ["GET /to"],
  ends: { code: "egress_denied", message: "do not allow port" },
  hostUsage: { host: "{other}", requests: 0, reason: "port" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness, other }) => {
  await fetch(`http://${witness}/to?url=http://${other}/reached`);
  return "got through";
};
