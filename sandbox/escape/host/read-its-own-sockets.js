import fs from "node:fs";
import { readFile, open } from "node:fs/promises";

export const attempt = {
  tries: "to open the sockets and files that its process was started with",
  blockedBecause: "a tool can access only the runtime's in-memory file system",
  ends: { says: "ENOENT" },
};

export default async () => {
  const ways = [
    () => fs.readFileSync("/app/config.capnp", "utf8"),
    () => fs.readFileSync("/app/dispatcher.js", "utf8"),
    () => fs.openSync("/egress.sock"),
    () => fs.openSync("/listen/http.sock"),
    () => fs.readFileSync("/workerd"),
    () => fs.readFileSync("/bundle/../app/config.capnp"),
    () => fs.readFileSync("../app/config.capnp"),
    () => fs.readdirSync("/listen"),
  ];
  const refusals = [];
  for (const way of ways) {
    try {
      return `got through: ${JSON.stringify(await way())}`;
    } catch (error) {
      refusals.push(error.code ?? error.message);
    }
  }
  return refusals;
};
