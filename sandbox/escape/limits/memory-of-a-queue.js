export const attempt = {
  tries: "to fill memory with what waits in a stream",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
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
