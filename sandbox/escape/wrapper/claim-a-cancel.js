export const attempt = {
  tries: "to end as something that only the service decides",
  refusedBecause:
    "an isolate says completed, failed, invalid or too large, and nothing else counts",
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
