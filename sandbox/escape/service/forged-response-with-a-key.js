export const attempt = {
  tries: "to cause an internal error with a response that is not JSON",
  blockedBecause: "the isolate's output is parsed again",
  ends: { code: "invalid_output", message: "not valid JSON" },
  hasKey: true,
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(new Answer("not JSON", { headers: { "x-outcome": "completed" } }));
  };
};
