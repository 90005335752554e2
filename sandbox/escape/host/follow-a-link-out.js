import fs from "node:fs";
import { readFile, open } from "node:fs/promises";

export const attempt = {
  tries: "to reach a file of the machine with a symbolic link",
  blockedBecause: "its links stay within the in-memory file system",
  ends: { says: "ENOENT|EPERM|not permitted|not implemented" },
};

export default async () => {
  const ways = [
    () => (fs.symlinkSync("/etc/passwd", "/tmp/one"), fs.readFileSync("/tmp/one", "utf8")),
    () => (fs.symlinkSync("../../../etc", "/tmp/two"), fs.readdirSync("/tmp/two")),
    () => (fs.linkSync("/etc/passwd", "/tmp/three"), fs.readFileSync("/tmp/three")),
    () => fs.realpathSync("/proc/self/cwd"),
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
