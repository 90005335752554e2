export const attempt = {
  tries: "to fill memory with blobs and responses",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default async () => {
  const all = [];
  for (;;) {
    const blob = new Blob([new Uint8Array(4e6).fill(7)]);
    all.push(blob, await new Response(blob).arrayBuffer());
  }
};
