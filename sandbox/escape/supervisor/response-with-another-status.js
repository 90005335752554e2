export const attempt = {
  tries: "to respond with a meaningless status",
  blockedBecause: "only the outcome counts",
  isolation: "fresh",
  ends: { code: "invalid_output|tool_error" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(new Answer(null, { status: 304, headers: { "x-outcome": "completed" } }));
  };
};
