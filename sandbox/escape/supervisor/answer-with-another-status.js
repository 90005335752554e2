export const attempt = {
  tries: "to answer with a status that has no meaning",
  refusedBecause: "only the outcome counts",
  ends: { code: "invalid_output|tool_error" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(new Answer(null, { status: 304, headers: { "x-outcome": "completed" } }));
  };
};
