import { type Uuid, uuidFrom } from '../../../kernel/ids.ts';

/** Writes values as bytes, in sequence. Hand-written, because one `Buffer` call per field costs more than the field. */
export type ByteWriter = {
  byte(value: number): void;
  uint16(value: number): void;
  uint48(value: number): void;
  /** 32 hex digits as 16 bytes; dashes are skipped. */
  hex16(text: string): void;
  /** UTF-8 with a length prefix of two bytes. */
  text(text: string): void;
  /** UTF-8 with a length prefix of one byte. */
  shortText(text: string): void;
  done(): Buffer;
};

/** `size` is an upper bound of what will be written. */
export function createWriter(size: number): ByteWriter {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  /** The number of bytes that the text takes. */
  const writeText = (text: string, start: number): number => {
    let end = start;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return bytes.write(text, start, 'utf8');
      bytes[end++] = code;
    }
    return end - start;
  };
  return {
    byte(value) {
      bytes[at++] = value;
    },
    uint16(value) {
      bytes[at++] = value >>> 8;
      bytes[at++] = value;
    },
    uint48(value) {
      at = bytes.writeUIntBE(value, at, 6);
    },
    hex16(text) {
      const end = at + 16;
      for (let i = 0; at < end; i += 2) {
        if (text.charCodeAt(i) === dash) i++;
        bytes[at++] = (digitOf[text.charCodeAt(i)]! << 4) | digitOf[text.charCodeAt(i + 1)]!;
      }
    },
    text(text) {
      const length = writeText(text, at + 2);
      bytes[at] = length >>> 8;
      bytes[at + 1] = length;
      at += 2 + length;
    },
    shortText(text) {
      const length = writeText(text, at + 1);
      bytes[at] = length;
      at += 1 + length;
    },
    done: () => bytes.subarray(0, at),
  };
}

/**
 * Reads values from bytes. A read past the end or of an invalid value gives zero or an empty text and sets `failed`, so
 * that the caller checks once, at the end.
 */
export type ByteReader = {
  byte(): number;
  uint16(): number;
  uint48(): number;
  uuid(): Uuid;
  hex16(): string;
  text(maxLength: number): string;
  /** The next bytes as a text. */
  characters(bytes: number, maxLength: number): string;
  skip(bytes: number): void;
  remaining(): number;
  failed(): false | 'short' | 'bad';
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function createReader(source: Uint8Array, start: number): ByteReader {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let at = start;
  let fault: false | 'short' | 'bad' = false;
  /** The offset of the next `count` bytes, or -1. */
  const advance = (count: number) => {
    if (fault || at + count > bytes.length) {
      fault ||= 'short';
      return -1;
    }
    at += count;
    return at - count;
  };
  const hex = () => {
    const from = advance(16);
    return from < 0 ? '' : bytes.toString('hex', from, from + 16);
  };
  const characters = (length: number, maxLength: number) => {
    const from = advance(length);
    if (from < 0 || length === 0) return '';
    const text = decode(bytes, from, from + length);
    if (text === null || text.length > maxLength) fault = 'bad';
    return text ?? '';
  };
  const uint16 = () => {
    const from = advance(2);
    return from < 0 ? 0 : (bytes[from]! << 8) | bytes[from + 1]!;
  };
  return {
    uint16,
    hex16: hex,
    byte() {
      const from = advance(1);
      return from < 0 ? 0 : bytes[from]!;
    },
    uint48() {
      const from = advance(6);
      return from < 0 ? 0 : bytes.readUIntBE(from, 6);
    },
    uuid: () => uuidFrom(hex()),
    text: maxLength => characters(uint16(), maxLength),
    characters,
    skip(count) {
      advance(count);
    },
    remaining: () => bytes.length - at,
    failed: () => fault,
  };
}

function decode(bytes: Buffer, from: number, to: number): string | null {
  for (let i = from; i < to; i++) {
    if (bytes[i]! <= 0x7f) continue;
    try {
      return utf8.decode(bytes.subarray(from, to));
    } catch {
      return null;
    }
  }
  return bytes.toString('latin1', from, to);
}

const dash = 0x2d;

const digitOf = new Uint8Array(128);
for (let i = 0; i < 16; i++) {
  digitOf[i.toString(16).charCodeAt(0)] = i;
  digitOf[i.toString(16).toUpperCase().charCodeAt(0)] = i;
}
