export const attempt = {
  tries: "to receive a small response that decompresses to gigabytes",
  blockedBecause: "memory is watched during decompression",
  allowedHosts: ["http://{witness}"],
  egress: { bytesReceived: 100000000 },
  limits: { memoryBytes: 67108864, cpuMs: 10000 },
  seen: ["GET /bomb"],
  ends: { code: "memory_limit|tool_error|cpu_limit" },
};

export default async ({ witness }) => {
  const answer = await fetch(`http://${witness}/bomb`);
  return `got through: ${(await answer.arrayBuffer()).byteLength}`;
};
