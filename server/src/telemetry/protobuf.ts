const initialBytes = 256 * 1024;

/**
 * Writes a message in the wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/). It writes from
 * the end to the start, so that the length of a nested message is known when it is written. The order of fields has no meaning,
 * except that repeated fields arrive in the reverse order.
 */
export class ProtobufWriter {
  #buffer = Buffer.allocUnsafeSlow(initialBytes);
  #at = initialBytes;

  /** A copy of the message. */
  bytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(this.#at));
  }

  /** Starts another message. */
  clear(): void {
    this.#at = this.#buffer.length;
  }

  /** Marks the end of a nested message, before its fields are written. */
  mark(): number {
    return this.#buffer.length - this.#at;
  }

  /** Completes a nested message, whose fields were written since the mark. */
  message(field: number, mark: number): void {
    this.#header(field, this.mark() - mark);
  }

  text(field: number, text: string): void {
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#at -= length;
    // Most texts are short names, which are written faster one by one.
    if (length === text.length && length < 64) {
      for (let index = 0; index < length; index++) {
        this.#buffer[this.#at + index] = text.charCodeAt(index);
      }
    } else this.#buffer.write(text, this.#at, length);
    this.#header(field, length);
  }

  /** Bytes as lower-case hexadecimal digits. */
  hex(field: number, digits: string): void {
    const length = digits.length / 2;
    this.#reserve(length);
    this.#at -= length;
    for (let index = 0; index < length; index++) {
      const high = valueOfDigit(digits.charCodeAt(index * 2));
      this.#buffer[this.#at + index] = high * 16 + valueOfDigit(digits.charCodeAt(index * 2 + 1));
    }
    this.#header(field, length);
  }

  /** An integer from 0 to 2^53. */
  integer(field: number, value: number): void {
    this.#varint(value);
    this.#varint(field * 8);
  }

  double(field: number, value: number): void {
    this.#reserve(8);
    this.#at -= 8;
    this.#buffer.writeDoubleLE(value, this.#at);
    this.#varint(field * 8 + 1);
  }

  /** An integer of 32 bits. */
  fixed32(field: number, value: number): void {
    this.#word(value);
    this.#varint(field * 8 + 5);
  }

  /** Milliseconds as an integer of 64 bits in nanoseconds. */
  nanoseconds(field: number, milliseconds: number): void {
    const seconds = Math.floor(milliseconds / 1_000);
    const rest = Math.round((milliseconds - seconds * 1_000) * 1e6);
    // A number cannot represent the product, so the upper and lower 16 bits of the seconds are multiplied on their own.
    const low = (seconds % 0x10000) * 1e9 + rest;
    const high = Math.floor(seconds / 0x10000) * 1e9 + Math.floor(low / 0x10000);
    this.#word(Math.floor(high / 0x10000));
    this.#word((high % 0x10000) * 0x10000 + (low % 0x10000));
    this.#varint(field * 8 + 1);
  }

  #word(value: number): void {
    this.#reserve(4);
    this.#at -= 4;
    this.#buffer[this.#at] = value;
    this.#buffer[this.#at + 1] = value >>> 8;
    this.#buffer[this.#at + 2] = value >>> 16;
    this.#buffer[this.#at + 3] = value >>> 24;
  }

  #header(field: number, length: number): void {
    this.#varint(length);
    this.#varint(field * 8 + 2);
  }

  #varint(value: number): void {
    this.#reserve(8);
    if (value < 128) {
      this.#at -= 1;
      this.#buffer[this.#at] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
    this.#at -= size;
    let rest = value;
    for (let index = 0; index < size - 1; index++) {
      this.#buffer[this.#at + index] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#at + size - 1] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#at >= bytes) return;
    const larger = Buffer.allocUnsafeSlow((this.#buffer.length + bytes) * 2);
    const at = larger.length - this.mark();
    this.#buffer.copy(larger, at, this.#at);
    this.#buffer = larger;
    this.#at = at;
  }
}

function valueOfDigit(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}
