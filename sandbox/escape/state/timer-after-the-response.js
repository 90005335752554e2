export const attempt = {
  tries: "to continue with a timer after its response",
  blockedBecause: "the run's work ends with the run",
  allowedHosts: ["http://{witness}"],
  runs: [{}, { user: "alice" }],
  ends: { says: "answered" },
};

export default ({ witness }) => {
  setTimeout(() => fetch(`http://${witness}/reached`), 30);
  setInterval(() => {
    globalThis.left = 1;
  }, 10);
  return "answered";
};
