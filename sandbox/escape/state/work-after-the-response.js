export const attempt = {
  tries: "to send requests after its response, in work that the runtime waits for",
  blockedBecause: "its network access ends with the run",
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
