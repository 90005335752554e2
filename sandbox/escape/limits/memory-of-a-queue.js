export const attempt = {
  tries: "to fill memory with queued chunks of a stream",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default async () => {
  const stream = new ReadableStream({
    start(sink) {
      for (;;) sink.enqueue(new Uint8Array(1e6).fill(3));
    },
  });
  return new Response(stream).text();
};
