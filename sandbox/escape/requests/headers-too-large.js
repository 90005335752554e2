export const attempt = {
  tries: "to overwhelm the gate with headers",
  blockedBecause: "request headers are limited to 64 KiB",
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
