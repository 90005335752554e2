export const attempt = {
  tries: "to reach the service with a name from the hosts file",
  blockedBecause: "names are resolved only with DNS, without the hosts file",
  allowedHosts: ["http://localhost:{ownPort}"],
  ends: { code: "tool_error", message: "could not be resolved" },
  hostUsage: { host: "localhost:{ownPort}", requests: 0 },
};

export default async ({ ownPort }) => {
  await fetch(`http://localhost:${ownPort}/reached`);
  return "got through";
};
