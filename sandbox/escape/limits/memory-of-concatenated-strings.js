export const attempt = {
  tries: "to fill the heap with concatenated and flattened strings",
  blockedBecause: "the watchdog measures memory, and a V8 out-of-memory crash has the same outcome",
  limits: { memoryBytes: 268435456, cpuMs: 30000, wallMs: 50000 },
  ends: { code: "memory_limit" },
};

export default () => {
  const all = [];
  for (let i = 0; ; i++) {
    let text = `${i}ä`;
    while (text.length < 1e6) text += text;
    all.push(text, text.charCodeAt(0));
    Number(text);
  }
};
