import { ciScale } from '@signpost/testing/ci-scale.ts';
import { paulmillr, zbar, zxing } from '@signpost/testing/decoders.ts';
import { rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import nayuki from 'nayuki-qr-code-generator';
import { describe, expect, test } from 'vitest';
import { printedText, toCompact } from '../src/compact.ts';
import { logoShapes, logoSizes } from '../src/logo.ts';
import { encodeCompactWith, largestLogo, logoPlanFor, type Matrix, matrixFor } from '../src/matrix.ts';
import { isReadable, renderPng } from '../src/node.ts';
import { dotsTypes, type Style } from '../src/style.ts';
import { renderSvg } from '../src/svg.ts';
import { plainRaster, symbols, tryHoles } from './support/holes.ts';
import { logoKinds, randomLogo } from './support/logos.ts';
import { createRandom, type Random } from './support/random.ts';

// The package does not say that it is a module, so TypeScript looks for its default one level too deep.
const { QrCode, QrSegment } = nayuki as unknown as typeof nayuki.default;

/** Short links as the service makes them: on a host, of a test code, with a placement, chosen by people. */
function randomLink(random: Random): string {
  const word = (least: number, most: number, letters = 'abcdefghijklmnopqrstuvwxyz0123456789') =>
    Array.from({ length: least + Math.floor(random.next() * (most - least + 1)) }, () =>
      random.pick([...letters]),
    ).join('');
  const scheme = random.next() < 0.95 ? 'https' : 'http';
  const port = random.next() < 0.05 ? ':8080' : '';
  const tag = random.next() < 0.2 ? `t/${word(8, 8)}/` : '';
  const code = word(3, 20, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-');
  const placement = random.next() < 0.4 ? `.${word(1, 12, 'abcdefghijklmnopqrstuvwxyz0123456789-')}` : '';
  return `${scheme}://${word(1, 14)}.${random.pick(['st', 'com', 'example', 'co.uk'])}${port}/${tag}${code}${placement}`;
}

const levelOf = ({ modules, size }: Matrix) =>
  ['M', 'L', 'H', 'Q'][((modules[8 * size]! << 1) | modules[8 * size + 1]!) ^ 0b10]!;

describe('the encoder of compact codes', () => {
  test('draws the same modules as the reference encoder, under the mask that this one chooses', () => {
    const random = createRandom(45);
    for (let run = 0; run < ciScale(600, 50); run++) {
      const link = toCompact(randomLink(random))!;
      const [level, ecc] = random.pick([
        ['quartile', QrCode.Ecc.QUARTILE],
        ['high', QrCode.Ecc.HIGH],
      ] as const);
      const least = 1 + Math.floor(random.next() * 12);
      const segments = [
        QrSegment.makeBytes([...new TextEncoder().encode(link.scheme)]),
        QrSegment.makeAlphanumeric(link.rest),
      ];
      const theirs = QrCode.encodeSegments(segments, ecc, least, 40, -1, false);
      const ours = encodeCompactWith(link, { version: theirs.version, level });
      const expected = Array.from({ length: theirs.size ** 2 }, (_, at) =>
        theirs.getModule(at % theirs.size, Math.floor(at / theirs.size)) ? 1 : 0,
      );
      if (!ours.modules.every((module, at) => module === expected[at]))
        expect.fail(`${link.rest} differs in version ${theirs.version} at ${level}`);
    }
  });

  test('every version and level is laid out as the reference encoder does', () => {
    const link = { scheme: 'https://', rest: 'Q' };
    for (let version = 1; version <= ciScale(40, 10); version++) {
      for (const [level, ecc] of [
        ['quartile', QrCode.Ecc.QUARTILE],
        ['high', QrCode.Ecc.HIGH],
      ] as const) {
        if (version === 1 && level === 'high') continue;
        const segments = [
          QrSegment.makeBytes([...new TextEncoder().encode(link.scheme)]),
          QrSegment.makeAlphanumeric(link.rest),
        ];
        const theirs = QrCode.encodeSegments(segments, ecc, version, version, 3, false);
        const ours = encodeCompactWith(link, { version, level }, 3);
        const differing = [...ours.modules.keys()].filter(
          at => (ours.modules[at] === 1) !== theirs.getModule(at % theirs.size, Math.floor(at / theirs.size)),
        );
        expect(differing, `version ${version} at ${level}`).toEqual([]);
      }
    }
  });

  test('takes the smallest version at which Q fits, and H where that fits it too', () => {
    const random = createRandom(7);
    for (let run = 0; run < ciScale(2000, 100); run++) {
      const link = randomLink(random);
      const compact = toCompact(link)!;
      const segments = [
        QrSegment.makeBytes([...new TextEncoder().encode(compact.scheme)]),
        QrSegment.makeAlphanumeric(compact.rest),
      ];
      const quartile = QrCode.encodeSegments(segments, QrCode.Ecc.QUARTILE, 1, 40, 0, false).size;
      const high = QrCode.encodeSegments(segments, QrCode.Ecc.HIGH, 1, 40, 0, false).size;
      const matrix = matrixFor(link, { compact: true });
      expect([matrix.size, levelOf(matrix)], link).toEqual([quartile, high === quartile ? 'H' : 'Q']);
      expect(matrix.size).toBeLessThanOrEqual(matrixFor(link, {}).size);
    }
  });
});

describe('what scanners read from a compact code', () => {
  const links = ciScale(10_000, 200);
  test(`of ${links} random links: the scheme as it is, and the short link but for its case`, async () => {
    const random = createRandom(10_000);
    for (let run = 0; run < links; run++) {
      const link = randomLink(random);
      const read = await paulmillr(plainRaster(matrixFor(link, { compact: true })));
      expect(read?.toLowerCase()).toBe(link.toLowerCase());
      expect(read).toMatch(/^https?:\/\/[0-9A-Z.:/-]+$/);
      expect(read).toBe(printedText(link, true));
    }
  }, 600_000);

  const images = ciScale(3000, 60);
  test(`${images} images of random links, styles, logos and levels are read by three decoders`, async () => {
    const random = createRandom(3000);
    const missed: string[] = [];
    const levels: Record<string, number> = {};
    let withLogo = 0;
    for (let run = 0; run < images; run++) {
      const link = randomLink(random);
      const style = randomStyle(random, link);
      const options = style.logo ? { logo: await randomLogo(random.pick(logoKinds), random, 48) } : {};
      const matrix = matrixFor(link, style);
      levels[levelOf(matrix)] = (levels[levelOf(matrix)] ?? 0) + 1;
      if (style.logo) withLogo++;
      const sizePx = (matrix.size + 8) * (4 + Math.floor(random.next() * 6));
      const image =
        run % 3 === 0
          ? rasterOfSvg(renderSvg(link, style, sizePx, options))
          : rasterOfPng(await renderPng(link, style, sizePx, options));
      for (const decode of [zxing, zbar, paulmillr]) {
        const read = await decode(image);
        if (read !== printedText(link, true))
          missed.push(`${decode.name} ${sizePx} ${link} ${JSON.stringify(style)}: ${read}`);
      }
    }
    console.log(`compact: ${images} images, ${withLogo} with a logo, levels ${JSON.stringify(levels)}`);
    expect(missed).toEqual([]);
    expect(Math.min(levels.Q ?? 0, levels.H ?? 0, withLogo)).toBeGreaterThan(images / 10);
  }, 600_000);
});

function randomStyle(random: Random, link: string): Style {
  const style: Style = {
    compact: true,
    dotsType: random.pick(dotsTypes),
    cornersSquareType: random.pick(['square', 'extra-rounded'] as const),
    dotsColor: random.pick(['#000000', '#1A3A8A', '#7A1F1F', '#0B3D2E']),
  };
  const logo = { asset_id: 'a', size: random.pick(logoSizes), shape: random.pick(logoShapes) };
  return random.next() < 0.5 && logoPlanFor(link, logo, true) ? { ...style, logo } : style;
}

describe('where a link cannot be compact', () => {
  test.each([
    ['https://go.acme.com/menu_card', 'the alphanumeric mode has no underscore'],
    ['https://acme.com/qr/k7m2q9xw', 'the path of the service has lower-case letters'],
    ['https://acme.com/a/t/k7m2q9xw/menu', 'so has the path before a test code'],
    ['https://müller.example/k7m2q9xw', 'the host has letters that the mode lacks'],
    ['mailto:menu@acme.com', 'it is no web address'],
    ['https://go.acme.com/menu?a=1', 'no short link has a query'],
    ['', 'there is none'],
  ])('%s is drawn as usual: %s', link => {
    expect(toCompact(link)).toBeNull();
    expect(printedText(link, true)).toBe(link);
    if (link) expect(matrixFor(link, { compact: true })).toEqual(matrixFor(link, {}));
  });

  test.each([
    'https://acme.com/QR/k7m2q9xw',
    'https://acme.com/7/menu.w1',
    'http://localhost:3000/t/abcd2345/menu',
  ])('%s can be', link => expect(printedText(link, true).toLowerCase()).toBe(link.toLowerCase()));
});

describe('a logo on a compact code', () => {
  // Beside the scheme one character, which fits into version 2 at H.
  const link = { scheme: 'https://', rest: 'Q.ST/A' };
  /** In CI the first of them, as logo-budget.test.ts tries all. */
  const tried = symbols.slice(0, ciScale(symbols.length, 2));
  test.each(tried)(
    'version $version at $level: no hole that is allowed is lost',
    async symbol => {
      const text = link.scheme + link.rest;
      const { missed, read } = await tryHoles(symbol, mask => encodeCompactWith(link, symbol, mask), text);
      expect(missed).toEqual([]);
      expect(read.within).toBeGreaterThan(0);
    },
    600_000,
  );

  test('is planned by the matrix of the compact code', () => {
    const random = createRandom(8);
    let smaller = 0;
    const runs = ciScale(300, 100);
    for (let run = 0; run < runs; run++) {
      const text = randomLink(random);
      const [usual, compact] = [false, true].map(isCompact =>
        logoPlanFor(text, { size: 'small' }, isCompact),
      );
      if (!compact) continue;
      expect(matrixFor(text, { compact: true, logo: { asset_id: 'a', size: 'small' } }).size).toBe(
        17 + 4 * compact.version,
      );
      if (!usual || compact.version < usual.version) smaller++;
    }
    expect(smaller).toBeGreaterThan(runs / 10);
  });

  test('has room where the usual code of a long link has none', () => {
    const text = `https://qr.example.org/${'x'.repeat(40)}`;
    expect(largestLogo(text, {}, false)).toBe('medium');
    expect(largestLogo(text, {}, true)).toBe('large');
  });

  test('is proved by reading the twin of the link', async () => {
    const logo = await randomLogo('photograph', createRandom(3), 48);
    const style = { compact: true, logo: { asset_id: 'a' } };
    expect(isReadable('https://go.acme.com/k7m2q9xw', style, { logo })).toBe(true);
    expect(isReadable('https://go.acme.com/menu_card', style, { logo })).toBe(true);
  });
});

/** Modules per side and level of 20 typical links: usual, and compact. */
const typical: readonly (readonly [string, string, string])[] = [
  ['https://sgnp.st/k7m2q9xw', '29 H', '29 H'],
  ['https://q.acme.com/k7m2q9xw', '29 Q', '29 H'],
  ['https://go.acme.com/k7m2q9xw', '29 Q', '29 H'],
  ['https://go.acme.com/menu', '29 H', '29 H'],
  ['https://go.acme.com/menu.window', '29 Q', '29 Q'],
  ['https://go.acme.com/menu.table-12', '33 H', '29 Q'],
  ['https://go.acme.com/spring-sale', '29 Q', '29 Q'],
  ['https://go.acme.com/spring-sale.poster-3', '33 Q', '29 Q'],
  ['https://qr.example.com/k7m2q9xw', '29 Q', '29 Q'],
  ['https://qr.example.com/k7m2q9xw.w12', '33 Q', '29 Q'],
  ['https://qr.example.com/k7m2q9xw.counter', '33 Q', '29 Q'],
  ['https://qr.hotel-adler.example/zimmer-12', '33 Q', '29 Q'],
  ['https://qr.hotel-adler.example/zimmer-12.tuer', '33 Q', '33 Q'],
  ['https://go.stadtwerke.example/k7m2q9xw', '33 Q', '29 Q'],
  ['https://go.stadtwerke.example/zaehler.haus-12', '33 Q', '33 Q'],
  ['https://qr.museum-basel.example/saal-12', '33 Q', '29 Q'],
  ['https://qr.museum-basel.example/saal-12.vitrine-3', '37 Q', '33 Q'],
  ['https://links.grand-hotel-example.com/breakfast', '37 Q', '33 Q'],
  ['https://links.grand-hotel-example.com/breakfast.room-412', '37 Q', '33 Q'],
  ['https://go.acme.com/t/8h3kq2xw/k7m2q9xw', '33 Q', '29 Q'],
];

test('modules and level of 20 typical links', () => {
  const found = typical.map(([link]) => {
    const shown = [{}, { compact: true }].map(style => {
      const matrix = matrixFor(link, style);
      return `${matrix.size} ${levelOf(matrix)}`;
    });
    return [link, ...shown];
  });
  expect(found).toEqual(typical);
});
