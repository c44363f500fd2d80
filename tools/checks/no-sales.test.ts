import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
/** Everything that a person or their program can be shown: messages, mails, pages, the reference and its descriptions. */
const shown = ['apps/server/src', 'apps/dashboard/src', 'packages/contract/src', 'packages/sdk/src'];

test('nobody is told to pay: a server of one’s own sells nothing', () => {
  const found = shown.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(tsx?|md|json)$/.test(name) && !/\.(test|it)\.ts$/.test(name))
      .flatMap(name =>
        readFileSync(join(root, folder, name), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            /\bpaid\b|\blarger plan\b|\bupgrade your\b/i.test(line) ? [`${folder}/${name}:${index + 1}`] : [],
          ),
      ),
  );
  expect(found).toEqual([]);
});
