export const attempt = {
  tries: "to see a credential that a host returns in a header",
  blockedBecause: "response headers are redacted, too",
  seen: ["GET /echo"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  const answer = await fetch(`http://${witness}/echo`, { headers: { "x-key": credentials.KEY } });
  const all = answer.headers.get("x-sent");
  const isClean = !all.includes("sk_live_4f9A0c7e") && /redacted KEY/.test(all);
  return isClean ? "refused" : `got through: ${all.split("").toReversed().join("")}`;
};
