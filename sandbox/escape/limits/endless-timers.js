export const attempt = {
  tries: "to run timers forever",
  blockedBecause: "a run has a time limit",
  limits: { wallMs: 700 },
  ends: { code: "timeout" },
};

export default () =>
  new Promise(() => {
    for (let i = 0; i < 100; i++) setInterval(() => {}, 1);
  });
