export const attempt = {
  tries: "to answer with a WebSocket in the place of an output",
  refusedBecause: "the service speaks HTTP alone",
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
