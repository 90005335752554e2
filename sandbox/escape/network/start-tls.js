export const attempt = {
  tries: "to turn a raw connection into an encrypted one",
  refusedBecause: "no raw connection comes about",
  ends: { code: "tool_error|egress_denied" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const { connect } = process.getBuiltinModule("cloudflare:sockets");
  const socket = connect(witness, { secureTransport: "starttls" }).startTls();
  await socket.opened;
  return "got through";
};
