export const attempt = {
  tries: "to send for ever",
  refusedBecause: "a run may send so many bytes",
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
