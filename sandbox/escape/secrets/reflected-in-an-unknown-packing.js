export const attempt = {
  tries: "to see a credential in an answer that is packed twice",
  refusedBecause: "what cannot be looked into is refused",
  seen: ["GET /unnamed-packing"],
  ends: { code: "egress_denied", message: "content encoding" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  await fetch(`http://${witness}/unnamed-packing`, { headers: { "x-key": credentials.KEY } });
  return "got through";
};
