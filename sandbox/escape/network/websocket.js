export const attempt = {
  tries: "to open a WebSocket to a host that it declares",
  blockedBecause: "the gate denies every upgrade",
  ends: { code: "tool_error", message: "WebSockets" },
  hostUsage: { host: "{witness}", requests: 0, reason: "WebSockets" },
  allowedHosts: ["http://{witness}"],
};

export default ({ witness }) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${witness}/reached`);
    socket.addEventListener("open", () => resolve("got through"));
    socket.addEventListener("error", ({ message }) => reject(new Error(message)));
  });
