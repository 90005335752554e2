export const attempt = {
  tries: "to return a thenable that never settles",
  blockedBecause: "the runtime detects that nothing can settle it",
  ends: { code: "timeout" },
};

export default () => ({ then() {} });
