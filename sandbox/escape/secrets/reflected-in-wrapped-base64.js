export const attempt = {
  tries: "to see a credential that a host returns in base64 with line breaks",
  blockedBecause: "every encoding of the value is redacted in responses",
  seen: ["GET /wrapped-base64"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  const answer = await fetch(`http://${witness}/wrapped-base64`, {
    headers: { "x-key": credentials.KEY },
  });
  const all = await answer.text();
  return all.includes("[redacted KEY]") ? "refused" : "got through";
};
