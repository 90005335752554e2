import { gzipSync } from "node:zlib";

export const attempt = {
  tries: "to fill memory with what is unpacked and nobody reads",
  refusedBecause: "the watchdog looks at memory, and V8's own end for lack of it counts the same",
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
