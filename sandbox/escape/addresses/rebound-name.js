export const attempt = {
  tries: "to reach the metadata service by a name that led to an open host before",
  refusedBecause: "every request looks the name up again and connects to what was looked at",
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
