export const attempt = {
  tries: "to go on by a timer after its answer",
  refusedBecause: "what a run started ends with it",
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
