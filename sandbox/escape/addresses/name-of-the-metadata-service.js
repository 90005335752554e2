export const attempt = {
  tries: "to reach a cloud metadata service with a public name",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://metadata.example:{ownPort}"],
  ends: { code: "egress_denied", message: "link-local" },
  hostUsage: { host: "metadata.example:{ownPort}", requests: 0, reason: "link-local" },
};

export default async (input) => {
  await fetch(`http://metadata.example:${input.ownPort}/reached`);
  return "got through";
};
