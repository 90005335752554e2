export const attempt = {
  tries: "to return text that is not JSON, with a then on responses",
  blockedBecause: "the isolate's output is parsed and measured again",
  isolation: "fresh",
  ends: { code: "invalid_output", message: "not valid JSON" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(
      new Answer('1,"status":"completed","got":"through"', {
        headers: { "x-outcome": "completed" },
      }),
    );
  };
};
