import { gzipSync } from "node:zlib";

export const attempt = {
  tries: "to fill memory with decompressed data that nothing reads",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default async () => {
  const packed = gzipSync(Buffer.alloc(20e6));
  const all = [];
  for (;;) {
    const unpacking = new DecompressionStream("gzip");
    const writer = unpacking.writable.getWriter();
    writer.write(packed).catch(() => {});
    all.push(unpacking, await unpacking.readable.getReader().read());
  }
};
