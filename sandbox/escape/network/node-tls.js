import { connect } from "node:tls";

export const attempt = {
  tries: "to open a TLS connection",
  blockedBecause: "the runtime opens none",
  ends: { code: "tool_error" },
  allowedHosts: ["http://{witness}"],
};

export default ({ witnessPort }) =>
  new Promise((resolve, reject) => {
    const socket = connect({
      port: Number(witnessPort),
      host: "127.0.0.1",
      rejectUnauthorized: false,
    });
    socket.on("error", reject);
    socket.on("secureConnect", () => resolve("got through"));
  });
