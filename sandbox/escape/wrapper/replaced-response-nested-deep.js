export const attempt = {
  tries: "to return JSON that overflows the stack of its readers",
  blockedBecause: "output may be nested at most 1,000 levels deep",
  isolation: "fresh",
  ends: { code: "invalid_output", message: "nested more than 1000 levels deep" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(
      new Answer("[".repeat(2e5) + "]".repeat(2e5), { headers: { "x-outcome": "completed" } }),
    );
  };
};
