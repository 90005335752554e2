export const attempt = {
  tries: "to reach another port of a host that it declares",
  blockedBecause: "a host is declared with its port",
  ends: { code: "egress_denied", message: "do not allow port" },
  hostUsage: { host: "{other}", requests: 0, reason: "port" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ otherPort }) => {
  await fetch(`http://127.0.0.1:${otherPort}/reached`);
  return "got through";
};
