import { describe, expect, test } from 'vitest';
import { readLinks } from './read-links.ts';

const menu = {
  shortCode: 'Menu',
  host: 'go.example.com',
  destinationUrl: 'https://example.com/menu?a=1',
  name: 'The menu',
};

const files: readonly (readonly [what: string, from: string, text: string])[] = [
  [
    'the JSON of Bitly',
    'bitly',
    JSON.stringify({
      links: [
        {
          id: 'go.example.com/Menu',
          link: 'https://go.example.com/Menu',
          custom_bitlinks: [],
          long_url: menu.destinationUrl,
          title: 'The menu',
          archived: false,
        },
      ],
      pagination: { next: '' },
    }),
  ],
  [
    'the CSV of Bitly',
    'bitly',
    `Title,Link,Long URL,Created\r\nThe menu,go.example.com/Menu,${menu.destinationUrl},2024-05-01\r\n`,
  ],
  [
    'the JSON of Dub',
    'dub',
    JSON.stringify([
      {
        id: 'link_1',
        domain: 'go.example.com',
        key: 'Menu',
        url: menu.destinationUrl,
        shortLink: 'https://go.example.com/Menu',
        title: 'The menu',
        password: null,
        expiresAt: null,
        archived: false,
      },
    ]),
  ],
  [
    'the CSV of Dub',
    'dub',
    `"Short link","Destination URL","Title","Created at"\n"https://go.example.com/Menu","${menu.destinationUrl}","The menu","2024-05-01"\n`,
  ],
  [
    'the JSON of Shlink',
    'shlink',
    JSON.stringify({
      shortUrls: {
        data: [
          {
            shortCode: 'Menu',
            shortUrl: 'https://go.example.com/Menu',
            longUrl: menu.destinationUrl,
            title: 'The menu',
            domain: 'go.example.com',
            tags: [],
            meta: { validSince: null, validUntil: null, maxVisits: null },
          },
        ],
        pagination: { pagesCount: 1 },
      },
    }),
  ],
  [
    'the CSV of Shlink',
    'shlink',
    `createdAt,shortUrl,domain,shortCode,longUrl,title,tags,visits\n2024,https://go.example.com/Menu,go.example.com,Menu,${menu.destinationUrl},The menu,,5\n`,
  ],
  [
    'the JSON of Kutt',
    'kutt',
    JSON.stringify({
      total: 1,
      data: [
        {
          id: 'a',
          address: 'Menu',
          link: 'https://go.example.com/Menu',
          target: menu.destinationUrl,
          description: 'The menu',
          password: false,
          banned: false,
          expire_in: null,
        },
      ],
    }),
  ],
];

describe('links of other services', () => {
  test.each(files)('are read from %s', (_, from, text) => {
    expect(readLinks(from, text)).toEqual([{ row: 1, notes: [], tags: [], routing: {}, ...menu }]);
  });

  test('with a password or disabled are refused, and expiring ones get a note', () => {
    const link = { address: 'a', link: 'https://x.example/abc', target: 'https://example.com' };
    const data = [
      { ...link, password: true },
      { ...link, banned: true },
      { ...link, expire_in: '2030-01-01' },
    ];
    const [protectedLink, disabled, expiring] = readLinks('kutt', JSON.stringify({ data }));
    expect(protectedLink!.refusal).toContain('password');
    expect(disabled!.refusal).toContain('disabled');
    expect(expiring!.refusal).toBeUndefined();
    expect(expiring!.notes).toEqual(['it expires there; here it does not']);
  });

  test('with several short links are all read, since each may be printed', () => {
    const links = [
      {
        link: 'https://bit.ly/2xK',
        custom_bitlinks: ['https://go.example.com/menu', 'https://go.example.com/carte'],
        long_url: 'https://example.com',
      },
    ];
    const read = readLinks('bitly', JSON.stringify({ links }));
    expect(read.map(({ row, host, shortCode }) => [row, host, shortCode])).toEqual([
      [1, 'bit.ly', '2xK'],
      [1, 'go.example.com', 'menu'],
      [1, 'go.example.com', 'carte'],
    ]);
  });

  test('without a title are named by their short code', () => {
    expect(readLinks('bitly', 'Link,Long URL\nbit.ly/abc,https://example.com\n')[0]!.name).toBe('abc');
  });

  test('of an unknown service, a broken file or a file without destinations are refused with the reason', () => {
    expect(() => readLinks('tiny', '')).toThrow('bitly, dub, shlink, kutt');
    expect(() => readLinks('constructor', '')).toThrow('--from must be');
    expect(() => readLinks('dub', '{"links": [')).toThrow('looks like JSON');
    expect(() => readLinks('dub', '{"other": []}')).toThrow('no list of links');
    expect(() => readLinks('dub', 'a,b\n')).toThrow('has no links');
    expect(() => readLinks('dub', 'Short,Long\na,b\n')).toThrow('Its fields are Short, Long');
  });
});

test.each([
  [
    'bitly',
    [{ long_url: menu.destinationUrl, link: 'https://go.example.com/Menu', tags: ['Print', 'Summer'] }],
  ],
  [
    'dub',
    [
      {
        url: menu.destinationUrl,
        domain: 'go.example.com',
        key: 'Menu',
        tags: [{ name: 'Print', color: 'red' }, { name: 'Summer' }],
      },
    ],
  ],
  [
    'shlink',
    [{ longUrl: menu.destinationUrl, shortUrl: 'https://go.example.com/Menu', tags: ['Print', 'Summer'] }],
  ],
])('the tags of %s are kept', (from, links) => {
  expect(readLinks(from, JSON.stringify(links))[0]?.tags).toEqual(['Print', 'Summer']);
});

test('tags in one cell of Shlink are kept, and those that do not fit are named', () => {
  const tags = ['Print', 'x'.repeat(51), 'Summer'].join('|');
  const [link] = readLinks(
    'shlink',
    `Short URL,Long URL,Tags\nhttps://go.example.com/a,https://example.com,${tags}\n`,
  );
  expect(link?.tags).toEqual(['Print', 'Summer']);
  expect(link?.notes).toEqual(['1 of its tags do not fit here']);
});
