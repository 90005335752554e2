import { connect } from "node:net";

export const attempt = {
  tries: "to open a raw connection, even to a host that it declares",
  blockedBecause: "the gate accepts only HTTP requests",
  ends: { code: "egress_denied", message: "[Rr]aw connections" },
  allowedHosts: ["http://{witness}"],
};

export default ({ witness, witnessPort }) =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(witnessPort), "127.0.0.1");
    socket.on("error", reject);
    socket.on("data", () => resolve("got through"));
    socket.write(`GET /reached HTTP/1.1\r\nhost: ${witness}\r\n\r\n`);
  });
