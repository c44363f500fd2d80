import type { BrowseItem } from '@signpost/contract';
import { renderSvg } from '@signpost/qr';
import { useMemo } from 'react';
import classes from './codes-table.module.css';

/** Drawn here: a list asks for no further files. */
export function CodeThumb({ code }: { readonly code: Pick<BrowseItem, 'short_url' | 'style'> }) {
  const { short_url, style } = code;
  const src = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(renderSvg(short_url, style, 128))}`,
    [short_url, style],
  );
  return <img className={classes.thumb} src={src} alt="" width={32} height={32} />;
}
