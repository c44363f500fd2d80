import type { Uuid } from '../../kernel/ids.ts';

/** A logo, as it is kept: pixels that were encoded by us, and perhaps the same as SVG that was rebuilt by us. */
export type Asset = {
  readonly id: Uuid;
  readonly width: number;
  readonly height: number;
  /** What it takes of the account's room. */
  readonly bytes: number;
  readonly hasVector: boolean;
  readonly createdAt: Date;
};

/** What is drawn of it. */
export type StoredLogo = { readonly id: Uuid; readonly png: Uint8Array; readonly vector: string | null };

export const assetLimits = {
  imageBytes: 512 * 1024,
  minPx: 64,
  maxPx: 2048,
  maxPixels: 4_194_304,
  /** Larger pictures are scaled down to this: a logo is a third of a code, and no printer shows more of it. */
  keptPx: 1024,
} as const;
