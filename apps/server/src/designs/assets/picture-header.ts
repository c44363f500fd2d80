/** What the first bytes of a picture say about it. */
export type PictureHeader = {
  readonly format: 'png' | 'jpeg' | 'webp';
  readonly width: number;
  readonly height: number;
};

/**
 * Reads the format by its magic bytes, never by a name, and the size before anything is decoded: a small file can hold a
 * picture that fills the memory. null for every other format, and for a header that breaks off.
 */
export function readHeader(bytes: Uint8Array): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number, length: number) =>
    Buffer.from(bytes.subarray(at, at + length)).toString('latin1');
  if (bytes.length < 30) return null;
  if (view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a) {
    if (text(12, 4) !== 'IHDR') return null;
    return { format: 'png', width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (view.getUint16(0) === 0xffd8) return jpegHeader(view);
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP') return webpHeader(view, text(12, 4));
  return null;
}

/** The size is in the frame header (SOF), behind segments of other kinds. */
function jpegHeader(view: DataView): PictureHeader | null {
  let at = 2;
  while (at + 9 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { format: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

function webpHeader(view: DataView, kind: string): PictureHeader | null {
  const littleEndian = true;
  if (kind === 'VP8 ') {
    const [width, height] = [
      view.getUint16(26, littleEndian) & 0x3fff,
      view.getUint16(28, littleEndian) & 0x3fff,
    ];
    return { format: 'webp', width, height };
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, littleEndian);
    return { format: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind === 'VP8X') {
    const three = (at: number) =>
      view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
    return { format: 'webp', width: three(24) + 1, height: three(27) + 1 };
  }
  return null;
}
