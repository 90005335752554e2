export const attempt = {
  tries: "to allocate 8 GB at once",
  blockedBecause: "the memory of the process is limited",
  ends: { code: "memory_limit|tool_error", message: "allocation failed|memory|Invalid" },
};

export default () => {
  const size = new ArrayBuffer(8e9).byteLength;
  return `got through: ${size}`;
};
