import type { LogoShape } from './logo.ts';
import type { Box, Scene } from './scene.ts';

/** Points of both languages: 72 to an inch. */
export const pointsPerMm = 72 / 25.4;

/** How large a scene is on paper: its width, and by how much its background reaches over the cut. */
export type PaperSize = { readonly widthMm: number; readonly bleedMm?: number | undefined };

export const paperWidthMm = { least: 10, most: 2000 } as const;
export const largestBleedMm = 10;

/** A page in points, from its lower left corner up, and how the half modules of a scene lie on it. */
export type Paper = {
  readonly width: number;
  readonly height: number;
  readonly bleed: number;
  /** Points to a half module, and where the scene's zero is. */
  readonly scale: number;
  readonly left: number;
  readonly top: number;
};

export function paperOf({ bounds }: Pick<Scene, 'bounds'>, { widthMm, bleedMm = 0 }: PaperSize): Paper {
  const bleed = bleedMm * pointsPerMm;
  const scale = (widthMm * pointsPerMm) / bounds.width;
  const height = bounds.height * scale + 2 * bleed;
  return {
    width: widthMm * pointsPerMm + 2 * bleed,
    height,
    bleed,
    scale,
    left: bleed - bounds.x * scale,
    top: height - bleed + bounds.y * scale,
  };
}

/** Where a picture lies with its proportions kept: whole inside its square, or filling the circle in it. */
export function fitted(
  place: Box,
  { width, height }: { readonly width: number; readonly height: number },
  shape: LogoShape,
): Box {
  const scale = place.width / (shape === 'circle' ? Math.min(width, height) : Math.max(width, height));
  const [w, h] = [width * scale, height * scale];
  return { x: place.x + (place.width - w) / 2, y: place.y + (place.height - h) / 2, width: w, height: h };
}

/** The path of the circle in a square. */
export function circlePath({ x, y, width }: Box): string {
  const radius = width / 2;
  return `M${x} ${y + radius}a${radius} ${radius} 0 01${width} 0a${radius} ${radius} 0 01${-width} 0z`;
}
