import http from "node:http";

export const attempt = {
  tries: "to use the gate as a proxy with the HTTP client of Node",
  blockedBecause: "the client accepts only paths",
  ends: { code: "tool_error", message: "path-only" },
  allowedHosts: ["http://{witness}"],
};

export default ({ witnessPort, other }) =>
  new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: witnessPort, path: `http://${other}/reached` };
    http.get(options, () => resolve("got through")).on("error", reject);
  });
