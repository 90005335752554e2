export const attempt = {
  tries: "to throw an error whose message never comes",
  refusedBecause: "reading it is within the limits of the run",
  limits: { cpuMs: 300 },
  ends: { code: "cpu_limit" },
};

export default () => {
  throw {
    get message() {
      for (;;);
    },
  };
};
