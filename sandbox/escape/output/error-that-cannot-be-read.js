export const attempt = {
  tries: "to throw what loops or throws when it is read",
  refusedBecause: "reading it is within the run",
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
