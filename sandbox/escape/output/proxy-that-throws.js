export const attempt = {
  tries: "to return a proxy that throws whatever is done with it",
  refusedBecause: "reading it is within the run, and fails it",
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
