export const attempt = {
  tries: "to send HTTP over a socket of the runtime",
  blockedBecause: "the runtime has no client for it",
  ends: { code: "tool_error", message: "not a function" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ own }) => {
  const { connect, internalNewHttpClient } = process.getBuiltinModule("cloudflare:sockets");
  const client = await internalNewHttpClient(connect(own));
  const answer = await client.fetch(`http://${own}/reached`);
  return `got through: ${answer.status}`;
};
