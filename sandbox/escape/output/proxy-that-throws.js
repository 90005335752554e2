export const attempt = {
  tries: "to return a proxy whose every trap throws",
  blockedBecause: "serializing it fails the run",
  ends: { code: "invalid_output", message: "get|keys" },
};

export default () =>
  new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("keys");
      },
      get: (_, name) => {
        if (name === "then") return undefined;
        throw new Error("get");
      },
    },
  );
