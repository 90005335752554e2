export const attempt = {
  tries: "to send something to an undeclared host that nobody waits for",
  refusedBecause: "it goes the same way as fetch",
  ends: { says: "sent" },
  hostUsage: { host: "{other}", requests: 0, reason: "port" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ other }) => {
  navigator.sendBeacon(`http://${other}/reached`, "data");
  await new Promise((resolve) => setTimeout(resolve, 100));
  return "sent";
};
