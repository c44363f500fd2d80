import type { ComponentType } from 'react';
import { expect, test } from 'vitest';
import { lazyPage, MissingPage } from './lazy-page.tsx';

const Page: ComponentType = () => null;

test('a script that did not load is an error of its page, and the next try loads it again', async () => {
  let isAway = true;
  let loads = 0;
  const lazy = lazyPage(async () => {
    loads++;
    if (isAway) throw new TypeError('Failed to fetch dynamically imported module');
    return { Page };
  }, 'Page');
  await lazy.preload();
  expect(() => lazy()).toThrow(MissingPage);
  isAway = false;
  await lazy.preload();
  expect(lazy()).toMatchObject({ type: Page });
  await lazy.preload();
  expect(loads).toBe(2);
});
