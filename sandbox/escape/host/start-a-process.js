import child from "node:child_process";
import cluster from "node:cluster";

export const attempt = {
  tries: "to run a program",
  blockedBecause: "the runtime cannot start programs",
  ends: { says: "NOT_IMPLEMENTED" },
};

export default async () => {
  const ways = [
    () => child.execSync("id"),
    () => child.spawnSync("/bin/sh", ["-c", "id"]),
    () =>
      new Promise((yes, no) => child.exec("id", (error, out) => (error ? no(error) : yes(out)))),
    () => new Promise((yes, no) => child.spawn("id").on("error", no).on("exit", yes)),
    () => child.fork("/tool.js"),
    () => process.execve("/bin/sh", []),
    () => cluster.fork(),
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
