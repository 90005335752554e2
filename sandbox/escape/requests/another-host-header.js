export const attempt = {
  tries: "to send another Host header",
  blockedBecause: "the Host header is set from the checked target",
  seen: ["GET /host"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
  const answer = await fetch(`http://${witness}/host`, { headers });
  const sent = (await answer.json()).headers.host;
  return sent === witness ? "refused" : `got through: ${sent}`;
};
