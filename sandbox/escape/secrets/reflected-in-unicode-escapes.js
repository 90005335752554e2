export const attempt = {
  tries: "to see a credential that a host sends back in \\uXXXX escapes",
  refusedBecause: "answers are cleaned of every spelling of the value",
  seen: ["GET /unicode-escapes"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  const answer = await fetch(`http://${witness}/unicode-escapes`, {
    headers: { "x-key": credentials.KEY },
  });
  const all = await answer.text();
  return all.includes("[redacted KEY]") ? "refused" : "got through";
};
