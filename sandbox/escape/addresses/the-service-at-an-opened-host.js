export const attempt = {
  tries: "to reach the service on a machine that the operator opened to tools",
  refusedBecause: "the port of the service is closed unless it is opened by its number",
  allowedHosts: ["http://{own}"],
  privateHosts: ["127.0.0.1"],
  ends: { code: "egress_denied", message: "an address of this machine" },
  hostUsage: { host: "{own}", requests: 0, reason: "an address of this machine" },
};

export default async ({ own }) => {
  await fetch(`http://${own}/reached`);
  return "got through";
};
