import { ciScale } from '@signpost/testing/ci-scale.ts';
import { zxing } from '@signpost/testing/decoders.ts';
import type { Raster } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import { readBarcodes } from 'zxing-wasm/reader';
import { printedText } from '../src/compact.ts';
import { correctableIn } from '../src/error-correction.ts';
import { matrixFor } from '../src/matrix.ts';
import {
  checkPrint,
  findExpected,
  isSameLink,
  judge,
  least,
  mostInkSpread,
  toPhoto,
} from '../src/print-check.ts';
import { easyShot, photograph, type Shot } from './support/camera.ts';
import { throughJpeg } from './support/jpeg.ts';
import {
  cropped,
  drawPrint,
  faded,
  goodPrint,
  type Print,
  scratch,
  spreadInk,
  stain,
  sticker,
  worstBlock,
} from './support/prints.ts';
import { createRandom, type Random } from './support/random.ts';

const links = [
  'https://sgnp.st/k7m2q9xw',
  'https://go.acme.com/menu.table-12',
  'https://qr.museum-basel.example/saal-12.vitrine-3',
];

type Damage = {
  readonly print?: (size: number, random: Random) => Print;
  readonly shot?: Partial<Shot>;
  readonly jpeg?: number;
  readonly link?: string;
};

const damages: Readonly<Record<string, Damage>> = {
  none: {},
  stain: { print: stain },
  scratch: { print: scratch },
  fade: { print: (_, random) => faded(random) },
  'ink spread': { print: (_, random) => spreadInk(random) },
  crop: { print: (_, random) => cropped(random) },
  sticker: { print: sticker },
  'wrong code': { link: 'https://evil.example/k7m2q9xw' },
  perspective: { print: stain, shot: { tiltDegrees: 38, turnDegrees: 25 } },
  blur: { print: stain, shot: { blurPx: 1.8 } },
  shadow: { print: stain, shot: { shade: 0.9 } },
  'JPEG 75': { print: stain, jpeg: 75 },
  'JPEG 50': { print: stain, jpeg: 50 },
  'JPEG 25': { print: stain, jpeg: 25 },
};

const levels = { Q: 'quartile', H: 'high' } as const;

/** Reads and checks a photograph as the page does: the decoder finds the code, the rest is ours. */
async function check(picture: Raster, link: string) {
  const [found] = await readBarcodes(picture as Parameters<typeof readBarcodes>[0], {
    formats: ['QRCode'],
    tryInvert: false,
  });
  if (!found?.isValid) return null;
  if (!isSameLink(found.text, link)) return { other: found.text };
  const photo = toPhoto(picture);
  const version = Number(found.version);
  const level = levels[found.ecLevel as keyof typeof levels];
  const expected = findExpected(photo, found.position, { text: found.text, version, level }, link, {});
  return expected && { checked: checkPrint(photo, found.position, expected), expected };
}

const prints = ciScale(2000, 42);
const each = Math.ceil(prints / Object.keys(damages).length);

describe(`${prints} simulated prints`, () => {
  test.each(Object.entries(damages))(
    '%s',
    async (name, { print, shot, jpeg, link: other }) => {
      const random = createRandom([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
      const count = { read: 0, byZxing: 0, close: 0, exact: 0 };
      const wrongVerdicts: string[] = [];
      for (let turn = 0; turn < each; turn++) {
        const link = links[turn % links.length]!;
        const style = turn % 2 === 0 ? {} : { compact: true };
        const matrix = matrixFor(other ?? link, style);
        const drawn = drawPrint(matrix, print?.(matrix.size, random) ?? goodPrint);
        const taken = photograph(drawn.picture, random, { ...easyShot, ...shot });
        const picture = jpeg === undefined ? taken : throughJpeg(taken, jpeg);
        if ((await zxing(picture)) === printedText(other ?? link, style.compact)) count.byZxing++;
        const result = await check(picture, link);
        if (!result) continue;
        count.read++;
        if ('other' in result) {
          expect(result.other).toBe(printedText(other!, style.compact));
          continue;
        }
        expect(other, 'another code was taken for ours').toBeUndefined();
        const { checked, expected } = result;
        expect(expected.matrix.modules).toEqual(matrix.modules);
        const truth = worstBlock(drawn.wrong, expected.symbol);
        const worst = Math.round(checked.used * correctableIn(expected.symbol));
        if (Math.abs(worst - truth) <= 1) count.close++;
        if (worst === truth) count.exact++;
        const byShare = checked.used <= 0.3 ? 'good' : checked.used <= 0.7 ? 'at-risk' : 'reprint';
        const isFlawed = checked.reasons.some(reason => reason !== 'damage');
        const isRight =
          checked.verdict === byShare || (byShare === 'good' && isFlawed && checked.verdict === 'at-risk');
        if (!isRight) wrongVerdicts.push(`${checked.used} ${checked.reasons.join()}: ${checked.verdict}`);
      }
      console.log(
        `${name}: ${count.read} of ${each} read, ${count.byZxing} by zxing alone; within one codeword ${count.close}, exactly ${count.exact}`,
      );
      expect(wrongVerdicts).toEqual([]);
      expect(count.read).toBeGreaterThanOrEqual(count.byZxing);
      expect(count.read).toBeGreaterThan(each / 4);
      if (other === undefined) expect(count.close / count.read).toBeGreaterThanOrEqual(0.95);
    },
    900_000,
  );
});

describe('the verdict', () => {
  const sound = { used: 0, contrast: 0.8, inkSpread: 0, quietZone: 4 };
  test.each([
    [0, 'good'],
    [0.3, 'good'],
    [0.31, 'at-risk'],
    [0.7, 'at-risk'],
    [0.71, 'reprint'],
    [1.2, 'reprint'],
  ])('with %d of the correction used is %s', (used, verdict) => {
    expect(judge({ ...sound, used }).verdict).toBe(verdict);
  });

  test.each([
    [{ contrast: least.contrast - 0.01 }, 'faint'],
    [{ inkSpread: mostInkSpread + 0.01 }, 'ink-spread'],
    [{ quietZone: least.quietZone - 1 }, 'quiet-zone'],
  ])('is at risk for another reason than damage: %o', (flaw, reason) => {
    expect(judge({ ...sound, ...flaw })).toEqual({ verdict: 'at-risk', reasons: [reason] });
  });
});

describe('what was done to a print is measured', () => {
  const measured = async (print: Print) => {
    const matrix = matrixFor(links[0]!, {});
    const result = await check(photograph(drawPrint(matrix, print).picture, createRandom(5)), links[0]!);
    if (!result || 'other' in result) throw new Error('The photograph is not read');
    return result.checked;
  };

  test('ink that spreads by a quarter of a module, and ink that does not', async () => {
    expect((await measured({ ...goodPrint, spread: 0.25 })).inkSpread).toBeCloseTo(0.25, 1);
    expect(Math.abs((await measured(goodPrint)).inkSpread)).toBeLessThan(0.08);
  });

  test.each([1, 2, 3, 4])('a quiet zone of %d modules', async quiet => {
    expect((await measured({ ...goodPrint, quiet })).quietZone).toBe(quiet);
  });

  test('faint ink', async () => {
    expect((await measured({ paper: 220, ink: 165 })).reasons).toEqual(['faint']);
  });

  test('the modules under a stain, and no others', async () => {
    const inStain = (x: number, y: number) => Math.hypot(x - 18, y - 16) < 2.6;
    const matrix = matrixFor(links[0]!, {});
    const { wrongModules, size } = await measured({
      ...goodPrint,
      cover: (x, y) => (inStain(x, y) ? 40 : null),
    });
    const expected = [...matrix.modules.keys()].filter(
      at => matrix.modules[at] === 0 && inStain((at % size) + 0.5, Math.floor(at / size) + 0.5),
    );
    expect(expected.filter(at => !wrongModules.includes(at)).length).toBeLessThanOrEqual(2);
    expect(wrongModules.filter(at => !expected.includes(at)).length).toBeLessThanOrEqual(2);
  });
});
