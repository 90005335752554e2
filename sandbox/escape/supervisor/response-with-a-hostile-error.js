export const attempt = {
  tries: "to reject with a value that throws when it is read",
  blockedBecause: "any rejection is treated as a failure",
  isolation: "fresh",
  ends: { code: "tool_error" },
};

export default () => {
  Response.prototype.then = (_, reject) => {
    delete Response.prototype.then;
    reject(
      new Proxy(new Error("x"), {
        get() {
          throw new Error("no");
        },
      }),
    );
  };
};
