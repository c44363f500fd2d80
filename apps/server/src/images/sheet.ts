import { type LabelSheet, labelPlace } from '@signpost/qr/labels';
import { nodeDeflate } from '@signpost/qr/node';
import { createPdfFile, named, pdfResources, pointsPerMm } from '@signpost/qr/vector';
import type { DrawnLabel } from './drawing.ts';

/** A PDF of labels that were drawn elsewhere, page by page as it is made. Each is in the file once, however many copies. */
export async function* sheetPdf(
  sheet: LabelSheet,
  labels: AsyncIterable<DrawnLabel>,
  copies: number,
): AsyncGenerator<Uint8Array> {
  const file = createPdfFile(nodeDeflate);
  yield* file.start();
  const shared = new Map<string, number>();
  const perPage = sheet.rows * sheet.columns;
  let page = createPage(sheet);

  function* add(label: DrawnLabel): Generator<Uint8Array, number> {
    for (const { key, entries, bytes } of label.shared) {
      if (!bytes) continue;
      const { id, chunk } = file.packed(entries, bytes);
      shared.set(key, id);
      yield chunk;
    }
    const resources = pdfResources({
      Shading: named('S', label.shadings),
      XObject: label.shared.map(({ name, key }) => `/${name} ${shared.get(key)!} 0 R`),
    });
    const { id, chunk } = file.packed(
      `/Type/XObject/Subtype/Form/BBox[0 0 ${points(sheet.label.x, sheet.label.y)}]${resources}`,
      label.content,
    );
    yield chunk;
    return id;
  }

  async function* endPage(): AsyncGenerator<Uint8Array> {
    const content = await file.stream('', new TextEncoder().encode(page.operators.join('\n')));
    yield content.chunk;
    const box = `[0 0 ${points(sheet.page.width, sheet.page.height)}]`;
    const shown = [...new Set(page.labels)].map(id => `/L${id} ${id} 0 R`);
    const boxes = ['MediaBox', 'BleedBox', 'TrimBox'].map(name => `/${name}${box}`).join('');
    yield file.page(`${boxes}${pdfResources({ XObject: shown })}/Contents ${content.id} 0 R`);
  }

  for await (const label of labels) {
    const id = yield* add(label);
    for (let copy = 0; copy < copies; copy++) {
      if (page.labels.length === perPage) {
        yield* endPage();
        page = createPage(sheet);
      }
      page.show(id);
    }
  }
  yield* endPage();
  yield* file.end();
}

function createPage(sheet: LabelSheet) {
  const labels: number[] = [];
  const operators: string[] = [];
  return {
    labels,
    operators,
    show(id: number): void {
      const { x, y } = labelPlace(sheet, labels.length);
      operators.push(`q 1 0 0 1 ${points(x, sheet.page.height - y - sheet.label.y)} cm /L${id} Do Q`);
      labels.push(id);
    },
  };
}

/** Millimetres in points. */
const points = (...mm: readonly number[]): string =>
  mm.map(value => (value * pointsPerMm).toFixed(3)).join(' ');
