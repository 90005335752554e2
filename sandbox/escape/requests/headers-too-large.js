export const attempt = {
  tries: "to overwhelm the gate with headers",
  refusedBecause: "the gate takes 64 KiB of them",
  ends: { code: "tool_error", message: "connection lost" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const headers = Object.fromEntries(
    Array.from({ length: 4000 }, (_, i) => [`x-${i}`, "y".repeat(20)]),
  );
  await fetch(`http://${witness}/reached`, { headers });
  return "got through";
};
