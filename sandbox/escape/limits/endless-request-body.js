export const attempt = {
  tries: "to send an endless body",
  blockedBecause: "the bytes that a run sends are limited",
  allowedHosts: ["http://{witness}"],
  egress: { bytesSent: 500000 },
  limits: { cpuMs: 10000 },
  ends: { code: "egress_denied", message: "send at most 500000 bytes" },
  mayBeSeen: ["POST /body"],
};

export default async ({ witness }) => {
  const body = new ReadableStream({ pull: (sink) => sink.enqueue(new Uint8Array(65536)) });
  await fetch(`http://${witness}/body`, { method: "POST", body });
  return "got through";
};
