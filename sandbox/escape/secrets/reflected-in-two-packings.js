export const attempt = {
  tries: "to see a credential in an answer that is packed, but first says that it is not",
  refusedBecause: "all that an answer says of its packing counts",
  seen: ["GET /two-packings"],
  ends: { code: "egress_denied", message: "content encoding" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  const answer = await fetch(`http://${witness}/two-packings`, {
    headers: { "x-key": credentials.KEY },
  });
  const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
  const all = await new Response(unpacked).text();
  return `got through: ${all}`;
};
