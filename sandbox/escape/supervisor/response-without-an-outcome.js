export const attempt = {
  tries: "to respond without an outcome",
  blockedBecause: "it is treated as a failure",
  isolation: "fresh",
  ends: { code: "tool_error" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(new Answer("{}"));
  };
};
