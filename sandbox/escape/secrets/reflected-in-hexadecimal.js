export const attempt = {
  tries: "to see a credential that a host returns in hexadecimal",
  blockedBecause: "every encoding of the value is redacted in responses",
  seen: ["GET /hex"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  const answer = await fetch(`http://${witness}/hex`, { headers: { "x-key": credentials.KEY } });
  const all = await answer.text();
  return all.includes("[redacted KEY]") ? "refused" : "got through";
};
