import { describe, expect, test } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { readText } from '../import/read-file.ts';
import { freeKey, itemsOf, placementRows, placementsCsv, roomFault, withRefusals } from './placement-rows.ts';

function read(text: string, taken: readonly string[] = []) {
  const sheet = readText(text);
  if (typeof sheet === 'string') throw new Error(sheet);
  return placementRows(sheet.rows, taken);
}
const good = (number: number, key: string, name: string, note = '') => ({
  number,
  key,
  name,
  note,
  fault: null,
});

describe('a file of placements', () => {
  test('is read by the names of its columns, in any order', () => {
    expect(read('Note;Where;Key\nA4;Shop window;Window\n;Till;till')).toEqual([
      good(1, 'window', 'Shop window', 'A4'),
      good(2, 'till', 'Till'),
    ]);
  });

  test('has the key first if its columns have no names', () => {
    expect(read('t1,Table 1\nt2,Table 2,by the door')).toEqual([
      good(1, 't1', 'Table 1'),
      good(2, 't2', 'Table 2', 'by the door'),
    ]);
  });

  test('gets its keys from the names if it has no keys', () => {
    expect(read('name\nTable 12\nCafé – terrace (south)')).toEqual([
      good(1, 'table-12', 'Table 12'),
      good(2, 'cafe-terrace-south', 'Café – terrace (south)'),
    ]);
    expect(read('Table 1\nTable 2').map(({ key }) => key)).toEqual(['table-1', 'table-2']);
  });

  test('is refused row by row: keys, names, notes, and keys that are there twice or already', () => {
    const faults = read(
      [
        'key,name,note',
        'a b,One',
        `${'x'.repeat(25)},Two`,
        'three,',
        `four,${'n'.repeat(81)}`,
        `five,Five,${'n'.repeat(501)}`,
        'SIX,Six',
        'six,Again',
        'till,Till',
      ].join('\n'),
      ['till'],
    ).map(({ fault }) => fault);
    expect(faults).toEqual([
      'Use 1 to 24 letters, digits or -',
      'Use 1 to 24 letters, digits or -',
      'Enter a name for the place',
      'The name is longer than 80 characters.',
      'The note is longer than 500 characters.',
      null,
      'Same ending as row 6',
      'Another place already has this ending.',
    ]);
  });

  test('is refused as a whole if the code has no room for it', () => {
    const rows = read('t1,One\nt2,Two');
    expect(roomFault(rows, 998)).toBeNull();
    expect(roomFault(rows, 999)).toBe('A code can have up to 1,000 placements. You can add 1 more.');
  });

  test('goes to the server without empty notes, and takes back what it refused', () => {
    const rows = read('t1,One\nphp,Two,x');
    expect(itemsOf(rows)).toEqual([
      { key: 't1', name: 'One' },
      { key: 'php', name: 'Two', note: 'x' },
    ]);
    const errors = [{ param: 'items.1.key', message: 'php is a file type.' }];
    const refused = withRefusals(
      rows,
      new ApiError(400, 'invalid_request', 'Nothing was created.', { errors }),
    );
    expect(refused.map(({ fault }) => fault)).toEqual([null, 'php is a file type.']);
    expect(withRefusals(rows, new Error('offline'))).toBe(rows);
  });
});

test('saved placements are a file that runs no formula and reads back as it was', () => {
  const placements = [
    {
      key: '-1',
      name: '=HYPERLINK("http://evil.example")',
      note: '+1\n@x',
      short_url: 'https://go.example/m.-1',
    },
    { key: 'till', name: "'quoted', Till", note: null, short_url: 'https://go.example/m.till' },
  ];
  const file = placementsCsv(placements);
  expect(file.split('\r\n')[1]).toBe(
    `'-1,"'=HYPERLINK(""http://evil.example"")","'+1\n'@x",https://go.example/m.-1`,
  );
  expect(itemsOf(read(file))).toEqual([
    { key: '-1', name: '=HYPERLINK("http://evil.example")', note: '+1\n@x' },
    { key: 'till', name: "'quoted', Till" },
  ]);
});

test('a name makes a key that is free, in any script', () => {
  const taken = new Set(['table-12', 'table-12-2', 'a'.repeat(24)]);
  expect(freeKey('Table 12', taken)).toBe('table-12-3');
  expect(freeKey('Café Zürich', taken)).toBe('cafe-zurich');
  expect(freeKey('a'.repeat(30), taken)).toBe(`${'a'.repeat(22)}-2`);
  expect(freeKey('Зал', taken)).toBe('place');
  expect(freeKey(' ', taken)).toBe('');
});
