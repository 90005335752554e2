import vm from "node:vm";

export const attempt = {
  tries: "to evaluate text as code",
  blockedBecause: "the runtime does not compile code at run time",
  ends: {
    says: '^\\["Code generation from strings disallowed.*"Code generation from strings disallowed',
  },
};

export default async () => {
  const ways = [
    () => (0, eval)("1"),
    () => new Function("return 1")(),
    () => Object.getPrototypeOf(async () => {}).constructor("return 1")(),
    () =>
      Object.getPrototypeOf(function* () {})
        .constructor("yield 1")()
        .next(),
    () =>
      Object.getPrototypeOf(async function* () {})
        .constructor("yield 1")()
        .next(),
    () => new Promise((resolve) => setTimeout("resolve(1)", 1)),
    () => vm.runInThisContext("1"),
    () => new vm.Script("1").runInNewContext(),
    () => new ShadowRealm().evaluate("1"),
    () => [].filter.constructor("return process")(),
    () => Reflect.construct(Function, ["return 1"])(),
  ];
  const refusals = [];
  for (const way of ways) {
    try {
      return `got through: ${JSON.stringify(await way())}`;
    } catch (error) {
      refusals.push(error.code ?? error.message);
    }
  }
  return refusals;
};
