export const attempt = {
  tries: "to use up the time of whoever runs next in its process",
  refusedBecause: "a process is given to nobody else before all work in it is over",
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
