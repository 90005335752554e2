export const attempt = {
  tries: "to return JSON that overflows whoever walks it",
  refusedBecause: "what an isolate says is its output may be nested 1,000 deep",
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
