import { describe, expect, test } from 'vitest';
import { recognise } from './columns.ts';
import { endingOf, remapped, toRows, withCell, withScheme } from './import-row.ts';

const url = 'https://a.example/menu';
const read = (...rows: readonly (readonly string[])[]) => {
  const found = recognise(rows);
  return { ...found, rows: toRows(rows, found, found.columns) };
};

describe('columns are recognised', () => {
  test.each<[string, readonly string[], readonly string[], string | null]>([
    ['our own words', ['Name', 'Destination', 'Link ending'], ['Menu', url, 'menu'], null],
    [
      'any order, case and punctuation',
      ['SHORT-CODE', 'Destination_URL', 'name'],
      ['menu', url, 'Menu'],
      null,
    ],
    [
      'Bitly',
      ['Created', 'Link', 'Title', 'Long URL'],
      ['2024', 'https://bit.ly/menu', 'Menu', url],
      'Bitly',
    ],
    [
      'Bitly with a custom back-half',
      ['link', 'custom_bitlink', 'long_url', 'title'],
      ['bit.ly/3xyz', 'go.example/menu', url, 'Menu'],
      'Bitly',
    ],
    [
      'Dub',
      ['Short link', 'Destination URL', 'Title', 'Clicks'],
      ['https://dub.sh/menu', url, 'Menu', '4'],
      'Dub',
    ],
    ['Dub by its API', ['id', 'domain', 'key', 'url', 'title'], ['1', 'dub.sh', 'menu', url, 'Menu'], 'Dub'],
    [
      'Shlink',
      ['createdAt', 'shortUrl', 'domain', 'shortCode', 'longUrl', 'title', 'tags', 'visits'],
      ['2024', 'https://s.example/menu', '', 'menu', url, 'Menu', '', '3'],
      'Shlink',
    ],
    [
      'Kutt',
      ['address', 'target', 'description', 'banned', 'password', 'link'],
      ['menu', url, 'Menu', 'false', 'false', 'https://kutt.it/menu'],
      'Kutt',
    ],
  ])('%s', (_, headings, cells, service) => {
    const { rows, ...found } = read(headings, cells);
    expect(found.service).toBe(service);
    expect(rows).toEqual([{ number: 1, name: 'Menu', destination: url, ending: 'menu' }]);
  });

  test('a link beside a name is the destination', () => {
    expect(read(['Name', 'Link'], ['Menu', url]).rows).toMatchObject([{ name: 'Menu', destination: url }]);
  });

  test('without headings, the column of addresses is the destination', () => {
    for (const cells of [
      ['Menu', url],
      [url, 'Menu'],
    ]) {
      const { headings, rows } = read(cells, cells);
      expect(headings).toBeNull();
      expect(rows).toHaveLength(2);
      expect(rows[0]).toMatchObject({ name: 'Menu', destination: url, ending: '' });
    }
    expect(read([url]).rows).toMatchObject([{ name: 'a.example/menu', destination: url }]);
  });

  test('headings that we do not know are headings all the same', () => {
    const { headings, rows } = read(['Tisch', 'Seite'], ['Tisch 1', url]);
    expect(headings).toEqual(['Tisch', 'Seite']);
    expect(rows).toMatchObject([{ name: 'Tisch 1', destination: url }]);
  });

  test('a link without a title is named by its ending, or by its destination', () => {
    const headings = ['link', 'long_url', 'title'];
    expect(read(headings, ['bit.ly/menu', url, '']).rows[0]!.name).toBe('menu');
    expect(read(['Short link', 'Destination URL'], ['', url]).rows[0]!.name).toBe('a.example/menu');
    // In a sheet of one's own an empty name is an oversight.
    expect(read(['Name', 'Destination'], ['', url]).rows[0]!.name).toBe('');
  });

  test('what does not open for everybody there waits for a decision', () => {
    const headings = ['address', 'target', 'description', 'password', 'banned'];
    const [locked, banned, open] = read(
      headings,
      ['a', url, 'A', 'true', 'false'],
      ['b', url, 'B', 'false', 'true'],
      ['c', url, 'C', 'false', 'false'],
    ).rows;
    expect(locked!.refused?.row).toContain('password at Kutt');
    expect(banned!.refused?.row).toContain('Switched off');
    expect(open!.refused).toBeUndefined();
  });
});

describe('what codes are found by', () => {
  test.each([
    ['Menu | Spring | menu', ['Menu', 'Spring']],
    ['Menu, Spring; 2026', ['Menu', 'Spring', '2026']],
    ['["a","b"]', ['a', 'b']],
    ['a, b | c', ['a, b', 'c']],
    ['', undefined],
  ])('the tags %j', (cell, tags) => {
    const { rows } = read(['name', 'url', 'tags'], ['Menu', url, cell]);
    expect(rows[0]!.more?.tags).toEqual(tags);
  });

  test('external id, note and columns of metadata are recognised, also in our own export', () => {
    const { rows, columns } = read(
      [
        'id',
        'name',
        'destination_url',
        'short_url',
        'tags',
        'external_id',
        'note',
        'unique_scans',
        'metadata',
        'domain',
      ],
      [
        'qr_1',
        "'-20%",
        url,
        'https://go.example/menu',
        'A | B',
        'x-1',
        'Hi',
        '7',
        '{"table":"4","no":5}',
        'go.example',
      ],
    );
    expect(columns.metadata).toEqual([8]);
    expect(rows).toEqual([
      {
        number: 1,
        name: '-20%',
        destination: url,
        ending: 'menu',
        more: {
          tags: ['A', 'B'],
          externalId: 'x-1',
          note: 'Hi',
          domain: 'go.example',
          metadata: { table: '4', no: '5' },
        },
      },
    ]);
  });

  test('a domain is one of short links only in our own export', () => {
    const { columns } = read(['name', 'url', 'domain'], ['Menu', url, 'example.com']);
    expect(columns.domain).toBeNull();
  });

  test('any other column is a detail under a name that the API takes', () => {
    const headings = ['name', 'url', 'metadata.Table', 'Straße / Nr.', '春', ''];
    const cells = ['Menu', url, '4', 'Elbe 1', 'x', 'y'];
    const found = recognise([headings, cells]);
    const columns = { ...found.columns, metadata: [2, 3, 4, 5] };
    const [row] = toRows([headings, cells], found, columns);
    expect(row!.more?.metadata).toEqual({
      Table: '4',
      'Stra_e_Nr.': 'Elbe 1',
      column_5: 'x',
      column_6: 'y',
    });
  });
});

describe('cells', () => {
  test('https:// is put in front of an address without it', () => {
    expect(withScheme('example.com/menu?a=1')).toBe('https://example.com/menu?a=1');
    for (const other of ['menu', 'http://a.example', 'mailto:a@b.example', 'a b.example', ''])
      expect(withScheme(other)).toBe(other);
  });

  test('of a whole short link the ending counts', () => {
    expect(endingOf('https://bit.ly/menu')).toBe('menu');
    expect(endingOf('go.example/menu/')).toBe('menu');
    expect(endingOf('/menu')).toBe('menu');
    expect(endingOf('menu')).toBe('menu');
  });

  test('an edit takes away what the server said about the cell, and nothing else', () => {
    const row = {
      number: 1,
      name: 'a',
      destination: url,
      ending: 'x',
      refused: { ending: 'Taken', name: 'Odd' },
    };
    expect(withCell(row, 'ending', 'y')).toEqual({ ...row, ending: 'y', refused: { name: 'Odd' } });
    expect(withCell({ ...row, refused: { ending: 'Taken' } }, 'ending', 'y')).not.toHaveProperty('refused');
  });

  test('another column for one field keeps what was mended in the others', () => {
    const row = { number: 2, name: 'Mended', destination: url, ending: 'x' };
    const fresh = [{ number: 2, name: 'Old', destination: url, ending: 'y' }];
    expect(remapped([row], fresh, 'ending')).toEqual([{ ...row, ending: 'y' }]);
  });
});
