import http from "node:http";

export const attempt = {
  tries: "to reach an undeclared host with the HTTP client of Node",
  blockedBecause: "the same rules as for fetch apply",
  ends: { code: "egress_denied", message: "port" },
  hostUsage: { host: "{other}", requests: 0, reason: "port" },
  allowedHosts: ["http://{witness}"],
};

export default ({ otherPort }) =>
  new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port: otherPort,
      path: "/reached",
      headers: { host: "a" },
    };
    http.get(options, () => resolve("got through")).on("error", reject);
  });
