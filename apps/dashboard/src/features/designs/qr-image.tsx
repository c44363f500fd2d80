import { logoPlanFor, renderPrintSvg, renderSvg, type SceneOptions, type Style } from '@signpost/qr';
import { useMemo } from 'react';
import { useLogo } from './logo-picture.ts';
import classes from './qr-image.module.css';

type Props = {
  readonly text: string;
  readonly style: Style;
  readonly label: string;
  /** Without its background, so that what lies behind shows through. */
  readonly isClear?: boolean;
  readonly frame?: SceneOptions['frame'];
  /** What does not divide by the modules goes to the margin. */
  readonly sizePx?: number;
};

/** The code as it will print, drawn here by the same package that draws it on the server. */
export function QrImage({ text, style, label, isClear = false, frame, sizePx = 512 }: Props) {
  const { options } = useLogo(style);
  const { logo } = options;
  const src = useMemo(() => {
    const drawn = drawable(text, style);
    const svg = isClear
      ? renderPrintSvg(text, drawn, { isClear }, { logo, frame })
      : renderSvg(text, drawn, sizePx, { logo, frame });
    return `data:image/svg+xml,${encodeURIComponent(svg)}`;
  }, [text, style, logo, isClear, frame, sizePx]);
  return (
    <img
      className={classes.image}
      src={src}
      alt={label}
      width={512}
      {...(frame ? { 'data-framed': true } : { height: 512 })}
    />
  );
}

/** Without its logo where the link leaves no room for it: the form says so, and the code can still be seen. */
export const drawable = (text: string, { logo, ...style }: Style): Style =>
  logo && logoPlanFor(text, logo, style.compact) ? { ...style, logo } : style;
