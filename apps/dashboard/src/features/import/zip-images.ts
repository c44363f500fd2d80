import { renderPng, renderSvg, type SceneOptions, type Style } from '@signpost/qr';
import type { Created } from './batches.ts';
import { imageNames } from './image-names.ts';

export type ImageFormat = 'png' | 'svg';

const sizePx = 1024;
/** A frame of the screen: longer work without a pause is felt. */
const turnMs = 12;

type Options = {
  readonly format: ImageFormat;
  readonly style: Style;
  /** The picture of the logo, where the style has one. */
  readonly scene: SceneOptions;
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
};

/** The images of the codes as one ZIP file, drawn here. The page stays usable meanwhile. */
export async function zipImages(codes: readonly Created[], options: Options): Promise<Blob> {
  const { format, style, scene, onProgress, signal } = options;
  const { Zip, ZipDeflate, ZipPassThrough } = await import('fflate');
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    parts.push(bytes as Uint8Array<ArrayBuffer>);
  });
  const names = imageNames(
    codes.map(({ name }) => name),
    format,
  );
  let turn = performance.now();
  for (const [at, { shortUrl }] of codes.entries()) {
    // A PNG is compressed already.
    const file = format === 'png' ? new ZipPassThrough(names[at]!) : new ZipDeflate(names[at]!);
    zip.add(file);
    file.push(await draw(shortUrl, style, format, scene), true);
    if (performance.now() - turn > turnMs) {
      onProgress(at + 1);
      await new Promise(resolve => setTimeout(resolve));
      signal.throwIfAborted();
      turn = performance.now();
    }
  }
  zip.end();
  return new Blob(parts, { type: 'application/zip' });
}

const draw = async (
  link: string,
  style: Style,
  format: ImageFormat,
  scene: SceneOptions,
): Promise<Uint8Array> =>
  format === 'svg'
    ? new TextEncoder().encode(renderSvg(link, style, sizePx, scene))
    : await renderPng(link, style, sizePx, deflate, scene);

async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
