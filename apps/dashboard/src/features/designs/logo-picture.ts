import type { LogoPicture, SceneOptions, Style } from '@signpost/qr';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Mode, useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';

/** The picture of a logo, in the forms that drawing needs. An asset never changes, so it is loaded once. */
export const logoQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'logo', id],
    queryFn: ({ signal }) => loadLogo(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Pixels are compared by nobody.
    structuralSharing: false,
  });

/** What a code is drawn with: the picture of its logo, or an empty place until it is there. */
export function useLogo(style: Style): {
  readonly options: SceneOptions;
  readonly isReady: boolean;
  readonly error: unknown;
} {
  const mode = useMode();
  const id = style.logo?.asset_id;
  const { data, error } = useQuery({ ...logoQuery(mode, id ?? ''), enabled: id !== undefined });
  if (id === undefined) return { options: {}, isReady: true, error: null };
  return { options: { logo: data ?? blankLogo }, isReady: data !== undefined, error };
}

/** The same for what is drawn after a click. */
export async function logoOf(mode: Mode, { logo }: Style): Promise<SceneOptions> {
  return logo ? { logo: await queryClient.ensureQueryData(logoQuery(mode, logo.asset_id)) } : {};
}

/** In place of a logo that is not loaded yet. */
export const blankLogo: LogoPicture = {
  pixels: { width: 1, height: 1, data: new Uint8Array(4) },
  png: '',
  svg: { viewBox: '0 0 1 1', content: '' },
};

async function loadLogo(id: string, signal: AbortSignal): Promise<LogoPicture> {
  const params = { id };
  const [asset, png] = await Promise.all([
    call('getAsset', { params }, signal),
    call('downloadAsset', { params, query: { format: 'png' } }, signal),
  ]);
  const vector = asset.has_vector
    ? await call('downloadAsset', { params, query: { format: 'svg' } }, signal).then(blob => blob.text())
    : '';
  const svg = /^<svg xmlns="[^"]*" viewBox="([^"]*)">([\s\S]*)<\/svg>$/.exec(vector);
  return {
    pixels: await pixelsOf(png),
    png: await base64Of(png),
    ...(svg ? { svg: { viewBox: svg[1]!, content: svg[2]! } } : {}),
  };
}

async function pixelsOf(png: Blob): Promise<LogoPicture['pixels']> {
  const bitmap = await createImageBitmap(png);
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { width, height, data: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer) };
}

/** The bytes of a file as text. */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
