export const attempt = {
  tries: "to hold its thread without using CPU time",
  blockedBecause: "the runtime does not block threads, and a run has a time limit",
  limits: { wallMs: 1500 },
  ends: { code: "tool_error|timeout" },
};

export default () => {
  const wait = Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60000);
  return `got through: ${wait}`;
};
