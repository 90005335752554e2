export const attempt = {
  tries: "to throw an error whose message getter never returns",
  blockedBecause: "the limits apply to reading it, too",
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
