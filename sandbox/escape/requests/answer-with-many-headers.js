export const attempt = {
  tries: "to have a host overwhelm the service with headers",
  refusedBecause: "an answer may have 64 KiB of them",
  seen: ["GET /many-headers"],
  ends: { code: "tool_error", message: "too many headers" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const answer = await fetch(`http://${witness}/many-headers`);
  return `got through: ${[...answer.headers].length}`;
};
