export const attempt = {
  tries: "to kill its own process and its parent",
  blockedBecause: "the runtime sends no signals",
  ends: { says: "NOT_IMPLEMENTED" },
};

export default async () => {
  const ways = [
    () => process.kill(1, "SIGKILL"),
    () => process.kill(process.ppid, 9),
    () => process._kill(1, 9),
    () => process.kill(-1, 9),
    () => process._debugProcess(1) || Promise.reject(new Error("does nothing")),
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
