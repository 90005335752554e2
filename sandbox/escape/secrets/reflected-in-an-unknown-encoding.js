export const attempt = {
  tries: "to see a credential in a response that is compressed twice",
  blockedBecause: "content encodings that cannot be decoded are denied",
  seen: ["GET /double-encoding"],
  ends: { code: "egress_denied", message: "content encoding" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  await fetch(`http://${witness}/double-encoding`, { headers: { "x-key": credentials.KEY } });
  return "got through";
};
