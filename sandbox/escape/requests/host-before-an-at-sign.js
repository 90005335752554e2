export const attempt = {
  tries: "to pass another host off as a declared one, as the user of its address",
  refusedBecause: "an address is read once, as browsers do",
  ends: { code: "egress_denied", message: "port" },
  hostUsage: { host: "{other}", requests: 0, reason: "port" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness, other }) => {
  await fetch(`http://${witness}@${other}/reached`);
  return "got through";
};
