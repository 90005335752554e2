export const attempt = {
  tries: "to have text that is no JSON kept as its output, by a then on responses",
  refusedBecause: "what an isolate says is its output is parsed and measured again",
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
