import { paulmillr, zbar, zxing } from '@signpost/testing/decoders.ts';
import { rasterOfSvg } from '@signpost/testing/raster.ts';
import { printedText } from '../src/compact.ts';
import { quietModules } from '../src/layout.ts';
import { widthInModules } from '../src/scene.ts';
import type { Style } from '../src/style.ts';
import { renderSvg } from '../src/svg.ts';

const links = [
  'https://go.acme.com/k7m2q9xw',
  'https://go.acme.com/menu.table-12',
  'https://qr.example.com/k7m2q9xw.counter',
  'https://qr.museum-basel.example/saal-12.vitrine-3',
];
const styles: readonly Style[] = [{ dotsType: 'square' }, { dotsType: 'square', compact: true }];
/** Drawn in whole pixels, then shown at one width with its quiet zone, as on paper. */
const modulePx = 20;
const [shownPx, rowPx, leftPx, topPx] = [190, 225, 20, 56];

/** Usual codes above, compact ones of the same links below, in the same width. */
export async function compactSheet(): Promise<string> {
  const tiles: string[] = [];
  for (const [row, style] of styles.entries()) {
    for (const [column, link] of links.entries()) {
      const modules = widthInModules(link, style);
      const svg = renderSvg(link, style, modules * modulePx);
      for (const decode of [zxing, zbar, paulmillr]) {
        if ((await decode(rasterOfSvg(svg))) !== printedText(link, style.compact))
          throw new Error(`${decode.name} does not read ${link}`);
      }
      const [x, y] = [leftPx + column * (shownPx + 20), topPx + row * rowPx];
      const side = modules - 2 * quietModules;
      tiles.push(
        svg
          .trim()
          .replace(
            /<svg xmlns="[^"]*" width="\d+" height="\d+"/,
            `<svg x="${x}" y="${y}" width="${shownPx}" height="${shownPx}"`,
          ),
        `<text x="${x}" y="${y + shownPx + 16}">${row === 0 ? 'usual' : 'compact'}: ${side} × ${side}</text>`,
      );
      const { host, pathname } = new URL(link);
      if (row === 0)
        tiles.push(`<text x="${x}" y="28">${host}</text>`, `<text x="${x}" y="44">${pathname}</text>`);
    }
  }
  const [width, height] = [leftPx + links.length * (shownPx + 20), topPx + styles.length * rowPx];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"` +
    ` font-family="sans-serif" font-size="12"><rect width="${width}" height="${height}" fill="#E5E7EB"/>` +
    `${tiles.join('\n')}</svg>\n`
  );
}
