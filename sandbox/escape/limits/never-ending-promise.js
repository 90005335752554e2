export const attempt = {
  tries: "to wait for what cannot happen",
  refusedBecause: "the engine tells when nothing can wake a run",
  ends: { code: "timeout", message: "can never settle" },
};

export default () => new Promise(() => {});
