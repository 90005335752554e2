export const attempt = {
  tries: "to send an endless body, one byte at a time",
  blockedBecause: "a run has a time limit, and its end closes all connections",
  allowedHosts: ["http://{witness}"],
  limits: { wallMs: 800 },
  ends: { code: "timeout" },
  mayBeSeen: ["POST /drip"],
};

export default async ({ witness }) => {
  const body = new ReadableStream({
    async pull(sink) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      sink.enqueue(new Uint8Array(1));
    },
  });
  await fetch(`http://${witness}/drip`, { method: "POST", body });
  return "got through";
};
