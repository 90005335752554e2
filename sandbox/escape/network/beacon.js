export const attempt = {
  tries: "to send a beacon to an undeclared host",
  blockedBecause: "the same rules as for fetch apply",
  ends: { says: "sent" },
  hostUsage: { host: "{other}", requests: 0, reason: "port" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ other }) => {
  navigator.sendBeacon(`http://${other}/reached`, "data");
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return "sent";
};
