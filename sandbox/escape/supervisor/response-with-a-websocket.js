export const attempt = {
  tries: "to respond with a WebSocket instead of an output",
  blockedBecause: "the service supports only HTTP",
  isolation: "fresh",
  ends: { code: "tool_error|sandbox_lost|invalid_output|timeout" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(
      new Answer(null, {
        status: 101,
        webSocket: new WebSocketPair()[0],
        headers: { "x-outcome": "completed" },
      }),
    );
  };
};
