import type { LogoPicture } from '@signpost/qr';
import { captionLetters, type LabelSheet, labelParts } from '@signpost/qr/labels';
import { letterForm, letterName, showLetter } from '@signpost/qr/pdf-letters';
import { createPdfPainter, pointsPerMm, sceneOf } from '@signpost/qr/vector';
import type { DrawnLabel, Label } from './drawing.ts';

type LabelToDraw = Label & {
  readonly sheet: LabelSheet;
  readonly logo?: { readonly id: string; readonly picture: LogoPicture } | undefined;
  readonly known: ReadonlySet<string>;
};

/** Draws a label as a form, which a PDF has once and shows as often as it likes. Its zero is the lower left corner. */
export async function drawLabel(
  { shortUrl, style, logo, caption, sheet, known }: LabelToDraw,
  deflate: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<DrawnLabel> {
  const scene = sceneOf(shortUrl, style, { logo: logo?.picture });
  const parts = labelParts(sheet, caption !== null);
  const { code } = parts;
  const painter = createPdfPainter();
  /** Where what is measured from the top left corner of the label lies. */
  const placed = (x: number, y: number, scale: number) => ({
    scale: scale * pointsPerMm,
    left: x * pointsPerMm,
    top: (sheet.label.y - y) * pointsPerMm,
  });
  const corner = placed(code.x, code.y + code.height, 1);
  const area = [corner.left, corner.top, code.width * pointsPerMm, code.height * pointsPerMm];
  painter.fill(scene.background, `${area.map(value => value.toFixed(3)).join(' ')} re`);
  const halfModule = code.width / scene.bounds.width;
  painter.draw(
    scene,
    placed(code.x - scene.bounds.x * halfModule, code.y - scene.bounds.y * halfModule, halfModule),
  );
  const letters = caption !== null && parts.caption ? captionLetters(caption, parts.caption) : [];
  if (parts.caption) {
    const place = placed(parts.caption.x, parts.caption.y, 1);
    painter.write('#000000', letters.map(showLetter), place);
  }
  const shared = [
    ...painter.pictures.map((picture, at) => ({
      name: `X${at}`,
      key: `logo ${logo!.id} ${scene.background}`,
      object: picture,
    })),
    ...[...new Set(letters.map(({ letter }) => letter))].map(letter => ({
      name: letterName(letter),
      key: `letter ${letter}`,
      object: letterForm(letter),
    })),
  ];
  return {
    content: await deflate(painter.bytes()),
    shadings: painter.shadings,
    shared: await Promise.all(
      shared.map(async ({ name, key, object }) => ({
        name,
        key,
        entries: object.entries,
        bytes: known.has(key) ? null : await deflate(object.bytes()),
      })),
    ),
  };
}
