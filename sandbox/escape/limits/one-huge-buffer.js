export const attempt = {
  tries: "to take 8 GB at once",
  refusedBecause: "the process may not have more memory than its limit",
  ends: { code: "memory_limit|tool_error", message: "allocation failed|memory|Invalid" },
};

export default () => {
  const size = new ArrayBuffer(8e9).byteLength;
  return `got through: ${size}`;
};
