export const attempt = {
  tries: "to open a raw connection with the sockets of the runtime",
  blockedBecause: "the gate accepts only HTTP requests",
  ends: { code: "egress_denied", message: "[Rr]aw connections" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const { connect } = process.getBuiltinModule("cloudflare:sockets");
  const socket = connect(witness);
  await socket.opened;
  return "got through";
};
