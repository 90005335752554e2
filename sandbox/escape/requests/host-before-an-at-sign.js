export const attempt = {
  tries: "to disguise another host with a user name in the URL",
  blockedBecause: "the URL is parsed once, like in browsers",
  ends: { code: "egress_denied", message: "port" },
  hostUsage: { host: "{other}", requests: 0, reason: "port" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness, other }) => {
  await fetch(`http://${witness}@${other}/reached`);
  return "got through";
};
