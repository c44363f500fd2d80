import { renderSvg, type SceneOptions, type Style } from '@signpost/qr';
import { captionPath, type LabelSheet, labelParts, labelPlace } from '@signpost/qr/labels';

/** What a label shows. */
export type PreviewLabel = {
  readonly link: string;
  readonly style: Style;
  readonly scene: SceneOptions;
  readonly caption: string | null;
};

/**
 * The first page of a sheet as the server prints it, with the edges of its labels. In millimetres. `order` has a number into
 * `labels` for each label that is used.
 */
export function sheetSvg(
  sheet: LabelSheet,
  labels: readonly PreviewLabel[],
  order: readonly number[],
): string {
  const { page, label, rows, columns } = sheet;
  const places = Array.from({ length: rows * columns }, (_, index) => labelPlace(sheet, index));
  const edges = places.map(
    ({ x, y }) => `<rect x="${x}" y="${y}" width="${label.x}" height="${label.y}" rx="1.5"/>`,
  );
  const drawn = order
    .slice(0, places.length)
    .map((label, at) => `<use href="#l${label}" x="${places[at]!.x}" y="${places[at]!.y}"/>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${page.width} ${page.height}" width="${page.width * 4}" height="${page.height * 4}">` +
    `<rect width="${page.width}" height="${page.height}" fill="#fff"/>` +
    `<g fill="none" stroke="#b8c2cb" stroke-width="0.3">${edges.join('')}</g>` +
    `<defs>${labels.map((one, id) => `<g id="l${id}">${labelSvg(sheet, one)}</g>`).join('')}</defs>` +
    `${drawn.join('')}</svg>`
  );
}

function labelSvg(sheet: LabelSheet, { link, style, scene, caption: text }: PreviewLabel): string {
  const { code, caption } = labelParts(sheet, text !== null);
  const picture = renderSvg(link, style, 512, scene)
    .trim()
    .replace(
      /^<svg xmlns="[^"]*" width="\d+" height="\d+"/,
      `<svg x="${code.x}" y="${code.y}" width="${code.width}" height="${code.height}"`,
    );
  if (text === null || !caption) return picture;
  return `${picture}<path transform="translate(${caption.x} ${caption.y})" d="${captionPath(text, caption)}"/>`;
}

/** Which label is where: so many of each code, from the first on. What is not known of a long list looks like the rest. */
export function orderOf(sheet: LabelSheet, known: number, codes: number, copies: number): number[] {
  if (known === 0) return [];
  const count = Math.min(sheet.rows * sheet.columns, codes * copies);
  return Array.from({ length: count }, (_, at) => Math.floor(at / copies) % known);
}
