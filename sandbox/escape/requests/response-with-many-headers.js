export const attempt = {
  tries: "to make a host overwhelm the service with headers",
  blockedBecause: "response headers are limited to 64 KiB",
  seen: ["GET /many-headers"],
  ends: { code: "tool_error", message: "too many headers" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const answer = await fetch(`http://${witness}/many-headers`);
  return `got through: ${[...answer.headers].length}`;
};
