import http from "node:http";
import { createServer } from "node:net";

export const attempt = {
  tries: "to be reached from outside",
  refusedBecause: "what it listens on is within its isolate",
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
