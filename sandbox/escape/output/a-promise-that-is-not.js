export const attempt = {
  tries: "to return what calls itself a promise and never settles",
  refusedBecause: "nothing can wake it, which ends the run",
  ends: { code: "timeout" },
};

export default () => ({ then() {} });
