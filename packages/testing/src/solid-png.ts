import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one colour, so many pixels wide and high. */
export function solidPng(widthPx: number, color: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(widthPx, 4);
  header.set([8, 2], 8);
  const row = Buffer.alloc(1 + widthPx * 3);
  for (let x = 0; x < widthPx; x++) row.writeUIntBE(color, 1 + x * 3, 3);
  const rows = deflateSync(Buffer.concat(Array.from({ length: widthPx }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
