export const attempt = {
  tries: "to speak HTTP over a connection of the engine's own",
  refusedBecause: "the engine has no client for it",
  ends: { code: "tool_error", message: "not a function" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ own }) => {
  const { connect, internalNewHttpClient } = process.getBuiltinModule("cloudflare:sockets");
  const client = await internalNewHttpClient(connect(own));
  const answer = await client.fetch(`http://${own}/reached`);
  return `got through: ${answer.status}`;
};
