/**
 * An x86-64 Linux program that makes one system call, for tests. All arguments but the first are 0. It exits with the error
 * number if the call fails; for `clone`, otherwise with 0 in the new process and another status in the first one.
 */
export function systemCallProgram(call: number, argument = 0): Buffer {
  const code = Buffer.from(
    [
      "b800000000", // mov eax, call
      "bf00000000", // mov edi, argument
      "31f631d24d31d24d31c0", // xor of the registers of the other arguments
      "0f05", // syscall
      "f7d889c7", // Exit with the negated result.
      "b83c000000", // mov eax, 60 (exit)
      "0f05",
    ].join(""),
    "hex",
  );
  code.writeUInt32LE(call, 1);
  code.writeUInt32LE(argument, 6);
  const headerSize = 64;
  const segmentSize = 56;
  const base = 0x40_00_00;
  const start = headerSize + segmentSize;
  const header = Buffer.alloc(headerSize);
  // ELF, 64-bit, little-endian, version 1.
  header.write("7f454c46020101", "hex");
  header.writeUInt16LE(2, 16); // an executable
  header.writeUInt16LE(62, 18); // x86-64
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(base + start), 24);
  header.writeBigUInt64LE(BigInt(headerSize), 32);
  header.writeUInt16LE(headerSize, 52);
  header.writeUInt16LE(segmentSize, 54);
  header.writeUInt16LE(1, 56);
  const segment = Buffer.alloc(segmentSize);
  segment.writeUInt32LE(1, 0); // loaded into memory
  segment.writeUInt32LE(5, 4); // readable and executable
  segment.writeBigUInt64LE(BigInt(base), 16);
  segment.writeBigUInt64LE(BigInt(base), 24);
  segment.writeBigUInt64LE(BigInt(start + code.length), 32);
  segment.writeBigUInt64LE(BigInt(start + code.length), 40);
  segment.writeBigUInt64LE(0x1000n, 48);
  return Buffer.concat([header, segment, code]);
}
