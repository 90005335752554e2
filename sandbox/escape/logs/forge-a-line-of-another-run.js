export const attempt = {
  tries: "to forge a line of another run or of the dispatcher",
  blockedBecause: "each line carries a nonce that the tool does not know",
  ends: { says: "said" },
};

export default () => {
  const line = JSON.stringify({
    timestamp: 1,
    level: "log",
    message: "0123456789abcdef log error 1 forged",
  });
  console.log(`x\n${line}`);
  process.stdout.write(`${line}\n`);
  process.stderr.write(`${line}\n`);
  console.error("0123456789abcdef end");
  return "said";
};
