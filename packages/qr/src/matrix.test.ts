import nayuki from 'nayuki-qr-code-generator';
import { encodeQR } from 'qr';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../test/support/random.ts';
import { links } from '../test/support/styles.ts';
import { logoShapes, logoSizes, planLogo } from './logo.ts';
import { encode, encodeWith, finderPlaces, isDark, logoPlanFor, withoutFinders } from './matrix.ts';

// The package does not say that it is a module, so TypeScript looks for its default one level too deep.
const { QrCode, QrSegment } = nayuki as unknown as typeof nayuki.default;
const levels = {
  low: QrCode.Ecc.LOW,
  medium: QrCode.Ecc.MEDIUM,
  quartile: QrCode.Ecc.QUARTILE,
  high: QrCode.Ecc.HIGH,
};

describe('the encoder', () => {
  test('draws the same modules as the reference encoder for 500 random links, level and mask given', () => {
    const random = createRandom(18004);
    const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/'];
    let compared = 0;
    for (let run = 0; run < 500; run++) {
      const length = 1 + Math.floor(random.next() * 120);
      const text = `https://${Array.from({ length }, () => random.pick(letters)).join('')}`;
      const ecc = random.pick(['low', 'medium', 'quartile', 'high'] as const);
      const mask = Math.floor(random.next() * 8);
      const ours = encodeQR(text, 'raw', { ecc, mask, border: 1 });
      const segments = [QrSegment.makeBytes([...new TextEncoder().encode(text)])];
      const theirs = QrCode.encodeSegments(segments, levels[ecc], 1, 40, mask, false);
      expect(ours.length - 2).toBe(theirs.size);
      for (let y = 0; y < theirs.size; y++) {
        for (let x = 0; x < theirs.size; x++) {
          if (ours[y + 1]![x + 1] !== theirs.getModule(x, y)) expect.fail(`${text} differs at ${x}, ${y}`);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(500 * 21 * 21);
  });

  test('the level is Q, raised to H only where the matrix stays as small', () => {
    for (let length = 10; length <= 120; length++) {
      const text = 'https://sgnp.st/'.padEnd(length, 'x');
      const quartile = encodeQR(text, 'raw', { ecc: 'quartile', border: 1 }).length - 2;
      const high = encodeQR(text, 'raw', { ecc: 'high', border: 1 }).length - 2;
      const matrix = encode(text);
      expect(matrix.size, text).toBe(quartile);
      expect(levelOf(matrix), text).toBe(high === quartile ? 'H' : 'Q');
    }
  });

  test('links up to 32 characters make 29 modules, up to 46 characters 33', () => {
    expect(links.map(link => [link.length, encode(link).size])).toEqual([
      [24, 29],
      [32, 29],
      [46, 33],
    ]);
  });

  test('a text that is too long for any code is refused', () => {
    expect(() => encode('x'.repeat(2000))).toThrow();
  });
});

test('taking the finders out leaves every other module as it was', () => {
  const matrix = encode(links[0]);
  const rest = withoutFinders(matrix);
  for (let y = 0; y < matrix.size; y++) {
    for (let x = 0; x < matrix.size; x++) {
      const inFinder = finderPlaces(matrix).some(
        at => x >= at.x && x < at.x + 7 && y >= at.y && y < at.y + 7,
      );
      expect(isDark(rest, x, y)).toBe(!inFinder && isDark(matrix, x, y));
    }
  }
});

test.each(['0123456789', 'ABC0 $%*+-./:', 'abcXYZ019/', 'aé😀'])(
  'the plan of a logo is that of every text of its length, written with %s',
  alphabet => {
    const letters = [...alphabet];
    for (let length = 1; length <= 80; length += 3) {
      const texts = [0, 1].map(from =>
        Array.from({ length }, (_, at) => letters[(at * 7 + from) % letters.length]).join(''),
      );
      const [size, shape] = [logoSizes[(length % 5) % 3]!, logoShapes[length % 2]!];
      for (const text of texts) {
        const fits = (symbol: Parameters<typeof encodeWith>[1]) => {
          try {
            return encodeWith(text, symbol).size > 0;
          } catch {
            return false;
          }
        };
        expect(logoPlanFor(text, { size, shape }, false)).toEqual(planLogo(fits, { size, shape }));
      }
    }
  },
);

/** Reads the level back from the two format modules that hold it, which are masked with 10. */
function levelOf(matrix: ReturnType<typeof encode>): string {
  const bits = (isDark(matrix, 0, 8) ? 2 : 0) | (isDark(matrix, 1, 8) ? 1 : 0);
  return ['M', 'L', 'H', 'Q'][bits ^ 0b10]!;
}
