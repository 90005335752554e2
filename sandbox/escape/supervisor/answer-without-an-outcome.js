export const attempt = {
  tries: "to answer without saying how it ended",
  refusedBecause: "it counts as failed",
  ends: { code: "tool_error" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(new Answer("{}"));
  };
};
