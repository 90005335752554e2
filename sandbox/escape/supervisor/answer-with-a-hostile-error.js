export const attempt = {
  tries: "to answer by rejecting with what throws when it is read",
  refusedBecause: "whatever it is, it counts as failed",
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
