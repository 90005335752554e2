import fs from "node:fs";
import { readFile, open } from "node:fs/promises";

export const attempt = {
  tries: "to read the environment of the service from /proc",
  blockedBecause: "a tool can access only the runtime's in-memory file system",
  ends: { says: "ENOENT" },
};

export default async () => {
  const ways = [
    () => fs.readFileSync("/proc/self/environ", "utf8"),
    () => fs.readFileSync("/proc/1/environ"),
    () => fs.readdirSync("/proc"),
    () => fs.readlinkSync("/proc/self/exe"),
    () => fs.readFileSync("/proc/self/root/etc/passwd"),
    () => process.loadEnvFile("/proc/self/environ"),
    () => fs.readFileSync("/proc/self/cmdline"),
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
