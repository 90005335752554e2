export const attempt = {
  tries: "to reach the metadata service with a name that resolved to an allowed host before",
  blockedBecause: "every request resolves the name again and connects only to checked addresses",
  allowedHosts: ["http://rebind.example:{witnessPort}"],
  privateHosts: ["rebind.example"],
  seen: ["GET /first"],
  ends: { code: "egress_denied", message: "link-local" },
  hostUsage: { host: "rebind.example:{witnessPort}", requests: 1, reason: "link-local" },
};

export default async ({ witnessPort }) => {
  const first = await fetch(`http://rebind.example:${witnessPort}/first`);
  await first.text();
  const second = await fetch(`http://rebind.example:${witnessPort}/reached`);
  return `got through: ${second.status}`;
};
