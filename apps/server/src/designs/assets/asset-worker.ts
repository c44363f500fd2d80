import { logoPngOf, nodeDeflate, resample } from '@signpost/qr/node';
import { asWorker } from '../../platform/worker-thread.ts';
import { assetLimits } from './asset.ts';
import { decodePicture, type Pixels, prepareDecoders } from './decode-picture.ts';
import { type PictureHeader, readHeader } from './picture-header.ts';
import type { AcceptedPicture, SentPicture } from './picture-intake.ts';
import { rebuildSvg } from './svg-allow-list.ts';

// Runs in a thread of its own: what people send is decoded nowhere else.

/** Why a picture is refused, in words for the person who sent it. */
class PictureRefusal extends Error {
  override readonly name = 'PictureRefusal';
}

await prepareDecoders();

export default asWorker(async ({ image, vector, prefix }: SentPicture): Promise<AcceptedPicture> => {
  const rebuilt = vector === null ? null : rebuildSvg(vector, prefix);
  const header = requireHeader(image);
  const pixels = bounded(await decoded(header, image));
  const png = await logoPngOf(pixels, nodeDeflate);
  return { png, width: pixels.width, height: pixels.height, vector: rebuilt };
});

function requireHeader(image: Uint8Array): PictureHeader {
  const header = readHeader(image);
  if (!header) throw new PictureRefusal('The picture is not a PNG, JPEG or WebP.');
  const { minPx, maxPx, maxPixels } = assetLimits;
  const { width, height } = header;
  if (Math.min(width, height) < minPx || Math.max(width, height) > maxPx || width * height > maxPixels)
    throw new PictureRefusal(
      `The picture is ${width} × ${height} pixels. It must be ${minPx} to ${maxPx} pixels wide and high.`,
    );
  return header;
}

async function decoded(header: PictureHeader, image: Uint8Array): Promise<Pixels> {
  try {
    const pixels = await decodePicture(header.format, image);
    if (
      pixels.data.length === pixels.width * pixels.height * 4 &&
      pixels.width === header.width &&
      pixels.height === header.height
    )
      return pixels;
  } catch {
    // Decoders say what is wrong in words of their own; for the person who sent it all of it means the same.
  }
  throw new PictureRefusal('The picture is damaged and cannot be decoded.');
}

function bounded(pixels: Pixels): Pixels {
  const scale = Math.min(1, assetLimits.keptPx / Math.max(pixels.width, pixels.height));
  if (scale === 1) return pixels;
  const [width, height] = [Math.round(pixels.width * scale), Math.round(pixels.height * scale)];
  return { width, height, data: resample(pixels, width, height) };
}
