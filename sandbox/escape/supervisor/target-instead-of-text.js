export const attempt = {
  tries: "to give the dispatcher an object whose methods run in the isolate",
  blockedBecause: "the dispatcher uses nothing but text and streams",
  limits: { outputBytes: 4000000 },
  ends: { code: "tool_error", message: "without text" },
};

const { RpcTarget } = process.getBuiltinModule("cloudflare:workers");

class Stub extends RpcTarget {
  startsWith() {
    throw new Error("got through: the dispatcher called it");
  }
  get headers() {
    throw new Error("got through: the dispatcher read it");
  }
}

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(new Stub());
  };
  return "x".repeat(2_000_000);
};
