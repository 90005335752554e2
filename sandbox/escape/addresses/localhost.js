export const attempt = {
  tries: "to reach the service by the name in the hosts file",
  refusedBecause: "names are asked of DNS alone",
  allowedHosts: ["http://localhost:{ownPort}"],
  ends: { code: "tool_error", message: "could not be resolved" },
  hostUsage: { host: "localhost:{ownPort}", requests: 0 },
};

export default async ({ ownPort }) => {
  await fetch(`http://localhost:${ownPort}/reached`);
  return "got through";
};
