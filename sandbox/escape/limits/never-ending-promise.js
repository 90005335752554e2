export const attempt = {
  tries: "to await a promise that can never settle",
  blockedBecause: "the runtime detects that nothing can resume the run",
  ends: { code: "timeout", message: "can never settle" },
};

export default () => new Promise(() => {});
