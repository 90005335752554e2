export const attempt = {
  tries: "to loop when its requests are cut off at the end of its run",
  refusedBecause: "a process is given to nobody else before all work in it is over",
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
