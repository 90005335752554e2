export const attempt = {
  tries: "to open a tunnel through the gate",
  refusedBecause: "the engine knows no such method",
  ends: { code: "tool_error", message: "Invalid HTTP method" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const answer = await fetch(`http://${witness}/reached`, { method: "CONNECT" });
  return `got through: ${answer.status}`;
};
