import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { imageNames } from './image-names.ts';
import { readSheet } from './read-sheet.ts';
import { writeCsv } from './write-csv.ts';
import { zipImages } from './zip-images.ts';

describe('the names of images', () => {
  test('are safe on every system, and in the letters of the code', () => {
    const names = [
      'Spring menu',
      'Café/Zürich: #1',
      '春のメニュー',
      '../../etc/passwd',
      '',
      'CON',
      '...',
      'a'.repeat(300),
    ];
    expect(imageNames(names, 'png')).toEqual([
      'Spring-menu.png',
      'Café-Zürich-1.png',
      '春のメニュー.png',
      'etc-passwd.png',
      'code.png',
      'code-CON.png',
      'code-2.png',
      `${'a'.repeat(80)}.png`,
    ]);
  });

  test('differ from each other, also where case is ignored', () => {
    expect(imageNames(['Menu', 'menu', 'Menu', 'Menu-2', 'MENU 2'], 'svg')).toEqual([
      'Menu.svg',
      'menu-2.svg',
      'Menu-3.svg',
      'Menu-2-2.svg',
      'MENU-2-3.svg',
    ]);
    const many = imageNames(
      Array.from({ length: 10_000 }, () => 'Menu'),
      'png',
    );
    expect(new Set(many).size).toBe(10_000);
  });
});

describe('the CSV with links', () => {
  test('reads back as it was written', () => {
    const rows = [
      ['Name', 'Short link'],
      ['say "hi", all; of\nyou', 'https://go.example/x'],
      ['', "it's"],
    ];
    expect(readSheet(writeCsv(rows))).toEqual({ rows, brokenQuotes: false });
  });

  test('no cell is a formula', () => {
    for (const cell of [' =1', '\n=1', '＝1', '\u00a0+1', '\u0001@a'])
      expect(writeCsv([[cell]])).toMatch(/^\uFEFF"?'/);
    expect(writeCsv([['=1+1', '+1', '-1', '@a', '\ta', 'a=b']])).toBe(
      `\uFEFF'=1+1,'+1,'-1,'@a,"'\ta",a=b\r\n`,
    );
  });
});

test.each(['png', 'svg'] as const)('the ZIP has a %s for every code', async format => {
  const codes = ['Menu', 'Menu'].map((name, at) => ({
    number: at + 1,
    id: `qr_${at}`,
    imageUrl: `https://go.example/i/${at}`,
    name,
    destination: 'https://a.example',
    ending: `menu-${at}`,
    domain: '',
    shortUrl: `https://go.example/menu-${at}`,
  }));
  const signal = new AbortController().signal;
  const blob = await zipImages(codes, { format, style: {}, scene: {}, onProgress: () => {}, signal });
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  expect(Object.keys(files)).toEqual([`Menu.${format}`, `Menu-2.${format}`]);
  const begin = Buffer.from(files[`Menu.${format}`]!.subarray(0, 4)).toString('latin1');
  expect(begin).toBe(format === 'png' ? '\x89PNG' : '<svg');
});
