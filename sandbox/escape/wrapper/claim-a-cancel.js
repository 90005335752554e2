export const attempt = {
  tries: "to report an outcome that only the service decides",
  blockedBecause: "only the outcomes completed, failed, invalid and too large are accepted",
  isolation: "fresh",
  ends: { code: "tool_error", message: "claimed" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(
      new Answer('{"message":"claimed","status":"cancelled"}', {
        headers: { "x-outcome": "cancelled" },
      }),
    );
  };
};
