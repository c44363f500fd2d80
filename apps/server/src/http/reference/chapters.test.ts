import { errorCodes, errorExamples, errorTable, eventExamples } from '@signpost/contract';
import { expect, test } from 'vitest';
import { chaptersFor } from './chapters.ts';

const chapters = chaptersFor('https://qr.example', heading => `#${heading}`);
const textOf = (id: string) => chapters.find(chapter => chapter.id === id)?.markdown ?? '';

test('the chapters come in their order, each with a title and a text', () => {
  expect(chapters.map(({ id }) => id)).toEqual([
    'getting-started',
    'authentication',
    'test-mode',
    'sdk',
    'organise',
    'rules-and-placements',
    'design-and-print',
    'analytics',
    'webhooks',
    'errors',
    'rate-limits',
    'idempotency',
    'pagination',
    'versioning',
    'changelog',
  ]);
  expect(chapters.map(({ title }) => title)).toContain('Test mode');
  for (const { markdown } of chapters) expect(markdown.length).toBeGreaterThan(200);
});

test.each(errorCodes)('%s has a section with its status, its cause and what to do', code => {
  const [, section = ''] =
    new RegExp(`^## ${code}\n\n([\\s\\S]*?)(?=\n## |$)`, 'm').exec(textOf('errors')) ?? [];
  expect(section).toMatch(new RegExp(`^\\*\\*${errorTable[code].status}\\.\\*\\* `));
  expect(section.split(/[.:;] /).length).toBeGreaterThan(1);
});

test('no section explains a code that does not exist', () => {
  const explained = [...textOf('errors').matchAll(/^## (\S+)$/gm)].map(match => match[1]);
  expect(explained).toEqual(errorCodes);
});

test('the event and the error that are shown were given by a running service', () => {
  const { headers, body, secret } = eventExamples['scan.created'];
  const lines = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
  expect(lines).toHaveLength(3);
  for (const [name, value] of lines) expect(textOf('webhooks')).toContain(`${name}: ${value}`);
  expect(textOf('webhooks')).toContain(JSON.stringify(JSON.parse(body), null, 2));
  expect(textOf('webhooks')).toContain(secret);
  const given = errorExamples.map(({ response }) =>
    JSON.stringify(response, null, 2).replaceAll('https://qr.example.com', 'https://qr.example'),
  );
  const [, shown = ''] = /```json\n([\s\S]*?)\n```/.exec(textOf('errors')) ?? [];
  expect(given).toContain(shown);
});

test('every address is that of the installation, and every link leads to a heading', () => {
  const headings = new Set(
    chapters.flatMap(({ id, markdown }) => [
      id,
      ...[...markdown.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
        heading.toLowerCase().replaceAll(' ', '-'),
      ),
    ]),
  );
  for (const { markdown } of chapters) {
    expect(markdown).not.toContain('signpost.example');
    for (const [, target = ''] of markdown.matchAll(/\]\(([^)]+)\)/g))
      if (!target.startsWith('https://')) expect(headings).toContain(target.slice(1));
  }
  expect(textOf('sdk')).toContain('npm install https://qr.example/docs/sdk.tgz');
});
