import { inspect } from "node:util";

export const attempt = {
  tries: "to log a value that loops when it is printed",
  refusedBecause: "printing is within the limits of the run",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () =>
  console.log({
    [inspect.custom]() {
      for (;;);
    },
  });
