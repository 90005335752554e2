export const attempt = {
  tries: "to see a credential that a host returns in the status text",
  blockedBecause: "the status text is redacted, too",
  seen: ["GET /status-text"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  const answer = await fetch(`http://${witness}/status-text`, {
    headers: { "x-key": credentials.KEY },
  });
  const all = answer.statusText;
  const isClean = !all.includes("sk_live_4f9A0c7e") && /redacted KEY/.test(all);
  return isClean ? "refused" : `got through: ${all.split("").toReversed().join("")}`;
};
