export const attempt = {
  tries: "to break the log by a value that throws when it is printed",
  refusedBecause: "the line says so",
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
