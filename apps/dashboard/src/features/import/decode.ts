/**
 * The text of a file. Excel writes "Unicode text" as UTF-16 and its plain CSV in the code page of the machine, so what is not
 * valid UTF-8 is read as Windows-1252, which never fails.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decode('utf-16be', bytes);
  if (looksLikeUtf16(bytes)) return decode('utf-16le', bytes);
  try {
    return decode('utf-8', bytes, true);
  } catch {
    return decode('windows-1252', bytes);
  }
}

/** A workbook of Excel or LibreOffice is a ZIP; the old form of Excel begins with the mark of OLE. */
export function isWorkbook(bytes: Uint8Array): boolean {
  const marks = [
    [0x50, 0x4b, 0x03, 0x04],
    [0xd0, 0xcf, 0x11, 0xe0],
  ];
  return marks.some(mark => mark.every((byte, at) => bytes[at] === byte));
}

// The byte order mark is removed by the decoder.
const decode = (encoding: string, bytes: Uint8Array, fatal = false) =>
  new TextDecoder(encoding, { fatal }).decode(bytes);

const sampleBytes = 1024;

/** Without a byte order mark, Western text in UTF-16 shows by a zero in nearly every second byte. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.length < 4) return false;
  const zeros = sample.filter((byte, at) => at % 2 === 1 && byte === 0).length;
  return zeros > sample.length * 0.4;
}
