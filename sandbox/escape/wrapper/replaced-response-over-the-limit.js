export const attempt = {
  tries: "to return more than its limit, with a then on responses",
  blockedBecause: "the isolate's output is parsed and measured again",
  limits: { outputBytes: 1000 },
  isolation: "fresh",
  ends: { code: "output_too_large" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(new Answer(`"${"x".repeat(5000)}"`, { headers: { "x-outcome": "completed" } }));
  };
};
