import { gunzipSync, gzipSync } from "node:zlib";

export const attempt = {
  tries: "to unpack a small text into gigabytes",
  refusedBecause: "the watchdog looks at memory",
  limits: { memoryBytes: 67108864, cpuMs: 10000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const bomb = gzipSync(Buffer.alloc(20e6));
  const all = [];
  for (;;) all.push(gunzipSync(bomb));
};
