export const attempt = {
  tries: "to see a credential that a host sends back as the name of a header",
  refusedBecause: "a header whose name holds the value is taken out",
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
