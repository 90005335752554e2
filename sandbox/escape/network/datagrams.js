import dgram from "node:dgram";

export const attempt = {
  tries: "to send a datagram",
  blockedBecause: "the runtime sends none",
  ends: { says: "nothing was sent" },
  allowedHosts: ["http://{witness}"],
};

export default ({ witnessPort }) =>
  new Promise((resolve, reject) => {
    const socket = dgram.createSocket("udp4");
    socket.on("error", reject);
    socket.send("x", Number(witnessPort), "127.0.0.1", (error) =>
      error ? reject(error) : resolve("got through"),
    );
    setTimeout(resolve, 200, "nothing was sent");
  });
