import { gunzipSync, gzipSync } from "node:zlib";

export const attempt = {
  tries: "to decompress a small text to gigabytes",
  blockedBecause: "the watchdog measures memory",
  limits: { memoryBytes: 67108864, cpuMs: 10000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const bomb = gzipSync(Buffer.alloc(20e6));
  const all = [];
  for (;;) all.push(gunzipSync(bomb));
};
