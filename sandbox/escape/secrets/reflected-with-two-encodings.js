export const attempt = {
  tries: "to see a credential in a compressed response with two Content-Encoding headers",
  blockedBecause: "all Content-Encoding headers count",
  seen: ["GET /two-encodings"],
  ends: { code: "egress_denied", message: "content encoding" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  const answer = await fetch(`http://${witness}/two-encodings`, {
    headers: { "x-key": credentials.KEY },
  });
  const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
  const all = await new Response(unpacked).text();
  return `got through: ${all}`;
};
