export const attempt = {
  tries: "to upgrade a raw connection to TLS",
  blockedBecause: "raw connections are not allowed",
  ends: { code: "tool_error|egress_denied" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const { connect } = process.getBuiltinModule("cloudflare:sockets");
  const socket = connect(witness, { secureTransport: "starttls" }).startTls();
  await socket.opened;
  return "got through";
};
