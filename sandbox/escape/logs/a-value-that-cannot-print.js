export const attempt = {
  tries: "to break the log with a value that throws when it is formatted",
  blockedBecause: "the line states that the value could not be formatted",
  ends: { says: "said" },
};

export default () => {
  console.log(
    new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
        ownKeys() {
          throw new Error("no");
        },
      },
    ),
    {
      get a() {
        throw new Error("no");
      },
    },
  );
  console.log(
    {
      toString() {
        throw new Error("no");
      },
    },
    Symbol("a"),
  );
  return "said";
};
