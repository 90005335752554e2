export const attempt = {
  tries: "to reach the service at a 6to4 address",
  blockedBecause: "the resolved address is checked and is not public",
  allowedHosts: ["http://[2002:7f00:1::]:{ownPort}"],
  ends: { code: "egress_denied", message: "not public" },
  hostUsage: { host: "[2002:7f00:1::]:{ownPort}", requests: 0, reason: "not public" },
};

export default async (input) => {
  await fetch(`http://[2002:7f00:1::]:${input.ownPort}/reached`);
  return "got through";
};
