export const attempt = {
  tries: "to send a request on behalf of another run",
  blockedBecause: "the isolate identifies the run, whatever headers the tool sends",
  ends: { code: "egress_denied", message: "do not allow port|not in the tool's allowedHosts" },
  hostUsage: {
    host: "{other}",
    requests: 0,
    reason: "do not allow port|not in the tool's allowedHosts",
  },
  allowedHosts: ["http://{witness}"],
};

export default async ({ other }) => {
  const headers = new Headers({ "x-toolhost-isolate": "another" });
  headers.append("X-Toolhost-Isolate", "and another");
  await fetch(`http://${other}/reached`, { headers });
  return "got through";
};
