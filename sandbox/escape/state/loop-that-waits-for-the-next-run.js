export const attempt = {
  tries: "to use up the CPU time of the next run in its process",
  blockedBecause: "a process is not leased to others until all work in it has ended",
  ends: { says: "answered" },
};

export default () => {
  const { waitUntil } = process.getBuiltinModule("cloudflare:workers");
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  waitUntil(
    wait(30).then(() => {
      for (;;);
    }),
  );
  return "answered";
};
