import threads from "node:worker_threads";

export const attempt = {
  tries: "to start a thread outside its isolate",
  blockedBecause: "the runtime has none",
  ends: { says: "NOT_IMPLEMENTED.*not defined" },
};

export default async () => {
  const ways = [
    () => new threads.Worker("data:text/javascript,1", { eval: true }),
    () => new Worker("data:text/javascript,1"),
    () => new SharedWorker("data:text/javascript,1"),
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
