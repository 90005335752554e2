import { inspect } from "node:util";

export const attempt = {
  tries: "to log a value that loops when it is formatted",
  blockedBecause: "the limits apply to formatting, too",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () =>
  console.log({
    [inspect.custom]() {
      for (;;);
    },
  });
