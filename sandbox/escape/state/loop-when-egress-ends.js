export const attempt = {
  tries: "to loop when its requests are aborted at the end of its run",
  blockedBecause: "a process is not leased to others until all work in it has ended",
  allowedHosts: ["http://{witness}"],
  mayBeSeen: ["GET /never"],
  ends: { says: "answered" },
};

export default ({ witness }) => {
  const { waitUntil } = process.getBuiltinModule("cloudflare:workers");
  waitUntil(
    fetch(`http://${witness}/never`).catch(() => {
      for (;;);
    }),
  );
  return new Promise((resolve) => setTimeout(resolve, 400, "answered"));
};
