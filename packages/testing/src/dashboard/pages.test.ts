import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { operatorPages } from './abuse.ts';
import { signedInPages, signedOutPages } from './pages.ts';

const router = resolve(import.meta.dirname, '../../../../apps/dashboard/src/router.tsx');

/** The paths of all pages that the router has, with `$id` for ids. A route without a component leads elsewhere. */
function pathsOfRouter(source: string): readonly string[] {
  const routes = new Map<
    string,
    { readonly parent: string; readonly path: string; readonly isPage: boolean }
  >();
  for (const [, name = '', block = ''] of source.matchAll(/const (\w+) = createRoute\(\{\n(.*?)\n\}\);/gs)) {
    const [, parent = ''] = /getParentRoute: \(\) => (\w+)/.exec(block) ?? [];
    const [, path = ''] = /\n?\s*path: '([^']*)'/.exec(block) ?? [];
    routes.set(name, { parent, path, isPage: block.includes('lazyPage(') });
  }
  const pathTo = (name: string): string => {
    const route = routes.get(name);
    return route ? `${pathTo(route.parent)}/${route.path}` : '/app';
  };
  const parents = new Set([...routes.values()].map(({ parent }) => parent));
  return [...routes]
    .filter(([name, { isPage }]) => isPage && !parents.has(name))
    .map(([name]) => pathTo(name).replaceAll(/\/+/g, '/').replace(/\/$/, ''))
    .sort();
}

test('every page of the router is among those that axe, the keyboard and every width are tried on', () => {
  const id = { id: '$id' };
  const listed = [
    ...signedOutPages,
    ...signedInPages({ ...id, name: '' }, { ...id, url: '' }, { ...id, name: '' }),
    ...operatorPages,
    // The account of the owner that fillOperatorPages reports.
    { path: '/app/operator/accounts/$id' },
  ].map(({ path }) => path.replace(/[?#].*$/, ''));
  const paths = pathsOfRouter(readFileSync(router, 'utf8'));
  expect(paths).toHaveLength(new Set(paths).size);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter(path => !listed.includes(path))).toEqual([]);
  expect(listed.filter(path => !paths.includes(path))).toEqual([]);
});
