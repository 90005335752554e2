export const attempt = {
  tries: "to ask in the name of another run",
  refusedBecause: "who asks follows from the isolate, whatever the tool writes into its headers",
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
