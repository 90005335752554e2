export const attempt = {
  tries: "to see a credential that a host sends back with every byte as %XX",
  refusedBecause: "answers are cleaned of every spelling of the value",
  seen: ["GET /percent-encoded"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  const answer = await fetch(`http://${witness}/percent-encoded`, {
    headers: { "x-key": credentials.KEY },
  });
  const all = await answer.text();
  return all.includes("[redacted KEY]") ? "refused" : "got through";
};
