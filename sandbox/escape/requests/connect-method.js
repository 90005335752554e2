export const attempt = {
  tries: "to open a tunnel with CONNECT",
  blockedBecause: "the runtime does not support the method",
  ends: { code: "tool_error", message: "Invalid HTTP method" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const answer = await fetch(`http://${witness}/reached`, { method: "CONNECT" });
  return `got through: ${answer.status}`;
};
