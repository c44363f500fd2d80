import { renderPrintSvg, renderSvg, type Style } from '@signpost/qr';
import classes from './qr-image.module.css';

type Props = {
  readonly text: string;
  readonly style: Style;
  readonly label: string;
  /** Without its background, so that what lies behind shows through. */
  readonly isClear?: boolean;
};

/** The code as it will print, drawn here by the same package that draws it on the server. */
export function QrImage({ text, style, label, isClear = false }: Props) {
  const svg = isClear ? renderPrintSvg(text, style, { isClear }) : renderSvg(text, style, 512);
  return (
    <img
      className={classes.image}
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      alt={label}
      width={512}
      height={512}
    />
  );
}
