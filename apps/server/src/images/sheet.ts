import type { LogoPicture, Style } from '@signpost/qr';
import { captionPath, type LabelParts, type LabelSheet, labelParts, labelPlace } from '@signpost/qr/labels';
import { nodeDeflate } from '@signpost/qr/node';
import { createPdfFile, createPdfPage, type PdfPage, pointsPerMm, sceneOf } from '@signpost/qr/vector';
import { cpuQueue } from '../kernel/cpu-queue.ts';

/** What is on a label. */
export type Label = {
  readonly shortUrl: string;
  readonly style: Style;
  readonly logo?: LogoPicture | undefined;
  readonly caption: string | null;
};

/** A PDF with a label for each, page by page as it is made. One label a turn of the event loop. */
export async function* sheetPdf(
  sheet: LabelSheet,
  labels: AsyncIterable<Label>,
  copies: number,
): AsyncGenerator<Uint8Array> {
  const file = createPdfFile(nodeDeflate);
  yield* file.start();
  const perPage = sheet.rows * sheet.columns;
  const size = { width: sheet.page.width * pointsPerMm, height: sheet.page.height * pointsPerMm };
  let page = createPdfPage(file);
  let used = 0;
  for await (const label of labels) {
    const parts = labelParts(sheet, label.caption !== null);
    const drawing = await cpuQueue.run(() => drawingOf(label, parts));
    for (let copy = 0; copy < copies; copy++) {
      if (used === perPage) {
        yield* await page.end(size);
        page = createPdfPage(file);
        used = 0;
      }
      const [onto, place] = [page, labelPlace(sheet, used++)];
      await cpuQueue.run(() => drawLabel(onto, sheet, place, drawing));
    }
  }
  yield* await page.end(size);
  yield* file.end();
}

/** What all copies of a label share. */
type Drawing = {
  readonly scene: ReturnType<typeof sceneOf>;
  readonly parts: LabelParts;
  /** The outlines of the caption. */
  readonly caption: string | null;
};

const drawingOf = ({ shortUrl, style, logo, caption }: Label, parts: LabelParts): Drawing => ({
  scene: sceneOf(shortUrl, style, { logo }),
  parts,
  caption: caption !== null && parts.caption ? captionPath(caption, parts.caption) : null,
});

async function drawLabel(
  page: PdfPage,
  sheet: LabelSheet,
  place: ReturnType<typeof labelPlace>,
  { scene, parts: { code, caption }, caption: path }: Drawing,
): Promise<void> {
  /** Where what is measured from the top left corner of the label is on the page, which is measured from below. */
  const onPage = (x: number, y: number, scale: number) => ({
    scale: scale * pointsPerMm,
    left: (place.x + x) * pointsPerMm,
    top: (sheet.page.height - place.y - y) * pointsPerMm,
  });
  const corner = onPage(code.x, code.y + code.height, 1);
  page.fill(
    scene.background,
    [corner.left, corner.top, code.width * pointsPerMm, code.height * pointsPerMm]
      .map(value => value.toFixed(3))
      .join(' ')
      .concat(' re'),
  );
  const halfModule = code.width / scene.bounds.width;
  await page.draw(
    scene,
    onPage(code.x - scene.bounds.x * halfModule, code.y - scene.bounds.y * halfModule, halfModule),
  );
  if (path === null || !caption) return;
  const shapes = [{ kind: 'outline', path, fill: '#000000' } as const];
  await page.draw({ background: '#FFFFFF', shapes }, onPage(caption.x, caption.y, 1));
}
