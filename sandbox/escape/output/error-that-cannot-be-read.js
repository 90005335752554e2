export const attempt = {
  tries: "to throw a value whose properties loop or throw",
  blockedBecause: "it is read within the run",
  ends: { code: "tool_error", message: "cannot be read" },
};

export default () => {
  throw new Proxy(new Error("x"), {
    get: () => {
      throw new Error("no");
    },
    has: () => true,
    getPrototypeOf: () => {
      throw new Error("no");
    },
  });
};
