export const attempt = {
  tries: "to read a stored credential in ranges too short to be recognized",
  blockedBecause: "range requests to the hosts of a credential are not possible",
  seen: [
    "POST /store",
    "GET /stored",
    "GET /stored",
    "GET /stored",
    "GET /stored",
    "GET /stored",
    "GET /stored",
    "GET /stored",
    "GET /stored",
    "GET /stored",
    "GET /stored",
    "GET /stored",
    "GET /stored",
  ],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  await fetch(`http://${witness}/store`, { method: "POST", body: credentials.KEY });
  let found = "";
  for (let at = 0; at < 12; at++) {
    const headers = { range: `bytes=${at}-${at}`, "if-range": '"x"' };
    const answer = await fetch(`http://${witness}/stored`, { headers });
    found += await answer.text();
  }
  return found.includes("sk_live") ? "got through" : "refused";
};
