import fs from "node:fs";
import { readFile, open } from "node:fs/promises";

export const attempt = {
  tries: "to read /etc/passwd with every function of node:fs",
  blockedBecause: "a tool can access only the runtime's in-memory file system",
  ends: { says: '^\\["(ENOENT"|.*ENOENT).*\\]$' },
};

export default async () => {
  const ways = [
    () => fs.readFileSync("/etc/passwd", "utf8"),
    () => readFile("/etc/passwd", "utf8"),
    () => open("/etc/passwd"),
    () => fs.openSync("/etc/passwd", "r"),
    () => fs.readFileSync(new URL("file:///etc/passwd")),
    () => fs.readFileSync(Buffer.from("/etc/passwd")),
    () => fs.readdirSync("/etc"),
    () => fs.statSync("/etc/passwd"),
    () => fs.copyFileSync("/etc/passwd", "/tmp/copy"),
    () => fs.createReadStream("/etc/passwd").toArray(),
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
