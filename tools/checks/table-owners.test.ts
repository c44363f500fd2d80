import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { computedName, writesOf } from './table-owners/writes.ts';
import { ownerBreaches, tablesOf } from './table-owners.ts';

const root = resolve(import.meta.dirname, '../..');

const tables = (source: string) => writesOf(source).map(({ table }) => table);

describe('a source text', () => {
  test.each([
    [
      'an insert',
      "sql('a', `insert into codes as kept (id) values ($1) on conflict (id) do update set n = 1`)",
      ['codes'],
    ],
    [
      'an update, with or without an alias',
      "'update a set n = 1'; `update only b as x\n set n = 1`",
      ['a', 'b'],
    ],
    [
      'a delete in a common table expression',
      '`with gone as (delete from a using b where true) select 1`',
      ['a'],
    ],
    ['a truncation', "sql('empty', 'truncate visitor_salts')", ['visitor_salts']],
    ['a command of ClickHouse', '`alter table scans drop partition id 1`', ['scans']],
    ['a table that is named to the client of ClickHouse', "insert({ table: 'scans', columns })", ['scans']],
    ['a name that is computed', '`delete from $' + '{table} where true`', [computedName]],
  ])('writes by %s', (_, source, expected) => expect(tables(source)).toEqual(expected));

  test.each([
    ['reads and locks', "'select from codes where id = $1 for update'; 'lock table hosts in row share mode'"],
    ['words of a message', "'Update ClickHouse to a newer release'; file.truncate(size)"],
    ['comments', '// insert into codes\n/* delete from codes */'],
  ])('does not write by %s', (_, source) => expect(tables(source)).toEqual([]));

  test('has each write at its line, behind comments too', () => {
    expect(writesOf("/* one\n two */\n\nsql('x', 'delete from a')")).toEqual([
      { table: 'a', line: 4, isInsert: false },
    ]);
  });
});

test('every table is created by a migration, has an owner and is written by it alone', () => {
  expect(tablesOf(root).length).toBeGreaterThan(45);
  expect(ownerBreaches(root)).toEqual([]);
});
