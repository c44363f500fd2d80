import type { BrowseItem } from '@signpost/contract';
import { renderSvg } from '@signpost/qr';
import { useMemo } from 'react';
import { useLogo } from '../designs/logo-picture.ts';
import { drawable } from '../designs/qr-image.tsx';
import classes from './codes-table.module.css';

/** Drawn here: a list asks for no further files but the logos in it, each once. */
export function CodeThumb({ code }: { readonly code: Pick<BrowseItem, 'short_url' | 'style'> }) {
  const { short_url, style } = code;
  const { logo } = useLogo(style).options;
  const src = useMemo(
    () =>
      `data:image/svg+xml,${encodeURIComponent(renderSvg(short_url, drawable(short_url, style), 128, { logo }))}`,
    [short_url, style, logo],
  );
  return <img className={classes.thumb} src={src} alt="" width={32} height={32} />;
}
