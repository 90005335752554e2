export const attempt = {
  tries: "to reach out after its answer, by work that the engine waits for",
  refusedBecause: "with the run its right to reach out is over",
  allowedHosts: ["http://{witness}"],
  ends: { says: "answered" },
};

export default ({ witness }) => {
  const { waitUntil } = process.getBuiltinModule("cloudflare:workers");
  waitUntil(
    new Promise((resolve) => setTimeout(resolve, 50)).then(() =>
      fetch(`http://${witness}/reached`),
    ),
  );
  return "answered";
};
