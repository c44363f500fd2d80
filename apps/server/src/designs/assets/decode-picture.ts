import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import decodePng, { init as initPng } from '@jsquash/png/decode.js';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import type { PictureHeader } from './picture-header.ts';

/** Four bytes a pixel: red, green, blue and how opaque it is. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };

type Format = PictureHeader['format'];

/** What the decoders hand their pixels over in; browsers have it, Node has not. */
class PlainImageData {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  constructor(data: Uint8ClampedArray, width: number, height = data.length / 4 / width) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

/**
 * Decodes by libpng's successor in Rust, mozjpeg and libwebp, each compiled to WebAssembly: a mistake in one of them stays
 * inside the memory that it was given, and a thread that runs it can be ended.
 */
export async function decodePicture(format: Format, bytes: Uint8Array): Promise<Pixels> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const { width, height, data } = await decoders[format].decode(file);
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

/** Compiles the decoders, once in a thread and before its first picture. */
export async function prepareDecoders(): Promise<void> {
  Object.assign(globalThis, { ImageData: PlainImageData });
  for (const { module, init } of Object.values(decoders))
    await init(await compile(await readFile(fileURLToPath(import.meta.resolve(module)))));
}

/** Node has it; the types that we compile with are those of no browser. */
const { compile } = (
  globalThis as unknown as { readonly WebAssembly: { compile(code: Uint8Array): Promise<never> } }
).WebAssembly;

type Decoder = {
  readonly module: string;
  init(module: never): Promise<unknown>;
  decode(file: ArrayBuffer): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
};

const decoders: Readonly<Record<Format, Decoder>> = {
  png: {
    module: '@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
    init: module => initPng(module),
    decode: file => decodePng(file),
  },
  jpeg: {
    module: '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
    init: module => initJpeg(module),
    decode: file => decodeJpeg(file),
  },
  webp: {
    module: '@jsquash/webp/codec/dec/webp_dec.wasm',
    init: module => initWebp(module),
    decode: file => decodeWebp(file),
  },
};
