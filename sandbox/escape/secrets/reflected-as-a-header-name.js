export const attempt = {
  tries: "to see a credential that a host returns as a header name",
  blockedBecause: "a header whose name contains the value is removed",
  seen: ["GET /header-name"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  const answer = await fetch(`http://${witness}/header-name`, {
    headers: { "x-key": credentials.KEY },
  });
  const names = [...answer.headers.keys()].join(" ");
  return names.includes("sk_live") ? `got through: ${names}` : "refused";
};
