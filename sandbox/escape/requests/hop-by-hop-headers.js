export const attempt = {
  tries: "to send hop-by-hop headers, or to make the gate drop others",
  blockedBecause: "the gate removes hop-by-hop headers",
  seen: ["GET /headers"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const headers = {
    connection: "x-kept, host",
    "proxy-authorization": "Basic x",
    "proxy-connection": "close",
    te: "trailers",
    trailer: "x",
    "keep-alive": "timeout=9",
    "http2-settings": "AA",
    expect: "100-continue",
    "x-toolhost-isolate": "forged",
  };
  const answer = await fetch(`http://${witness}/headers`, { headers });
  const sent = Object.keys((await answer.json()).headers)
    .toSorted()
    .join(" ");
  return sent === "connection host" ? "refused" : `got through: ${sent}`;
};
