export const attempt = {
  tries: "to reach the secrets of a cloud machine by a public name",
  refusedBecause: "the address that a name or spelling comes to is looked at, and is not public",
  allowedHosts: ["http://metadata.example:{ownPort}"],
  ends: { code: "egress_denied", message: "link-local" },
  hostUsage: { host: "metadata.example:{ownPort}", requests: 0, reason: "link-local" },
};

export default async (input) => {
  await fetch(`http://metadata.example:${input.ownPort}/reached`);
  return "got through";
};
