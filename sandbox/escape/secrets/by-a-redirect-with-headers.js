export const attempt = {
  tries: "to make a header with a credential follow a redirect to another host",
  blockedBecause: "the header contains the placeholder, which is denied there",
  seen: ["GET /to"],
  ends: { code: "egress_denied", message: "KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness, other }, { credentials }) => {
  const headers = { "x-key": credentials.KEY };
  await fetch(`http://${witness}/to?url=http://${other}/reached`, { headers });
  return "got through";
};
