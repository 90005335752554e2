export const attempt = {
  tries: "to wake up for ever",
  refusedBecause: "a run has a time",
  limits: { wallMs: 700 },
  ends: { code: "timeout" },
};

export default () =>
  new Promise(() => {
    for (let i = 0; i < 100; i++) setInterval(() => {}, 1);
  });
