import http from "node:http";
import { createServer } from "node:net";

export const attempt = {
  tries: "to listen for connections from outside",
  blockedBecause: "its listeners exist only within its isolate",
  ends: { says: "listening to itself" },
  closed: [18080, 18081],
  allowedHosts: ["http://{witness}"],
};

export default async () => {
  createServer()
    .on("error", () => {})
    .listen(18080);
  http
    .createServer((_, answer) => answer.end("got through"))
    .on("error", () => {})
    .listen(18081);
  await new Promise((resolve) => setTimeout(resolve, 100));
  return "listening to itself";
};
