import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import {
  walkEmptyPages,
  walkOperatorPages,
  walkOwnerPages,
  walkPagesOutside,
} from '@signpost/testing/dashboard/matrix.ts';
import { allWidths, schemes, type Viewport } from '@signpost/testing/dashboard/viewport.ts';
import { expect, test } from 'vitest';

/** Every page of the dashboard in every width, with the longest names there are: nothing scrolls sideways or is cut. */

const onStage = loadDataset();

/** In CI a phone, where most can go wrong; other widths are seen there by the tests of pages and of what opens on them. */
const viewports: readonly Viewport[] = process.env.CI
  ? [{ width: 375, scheme: 'dark' }]
  : allWidths.flatMap(width => schemes.map(scheme => ({ width, scheme })));

/** In CI the language with the longest words; dashboard-languages.e2e.ts looks at the others. */
const language = process.env.CI ? 'de' : 'en';

test('an owner’s pages, full of long names', async () => {
  expect(await walkOwnerPages(onStage(), language, viewports)).toEqual([]);
});

test('an owner’s pages in test mode, where nothing is yet', async () => {
  expect(await walkEmptyPages(onStage(), language, viewports)).toEqual([]);
});

test('an operator’s pages', async () => {
  expect(await walkOperatorPages(onStage(), language, viewports)).toEqual([]);
});

test('the pages of somebody who is not signed in', async () => {
  expect(await walkPagesOutside(onStage(), language, viewports)).toEqual([]);
});
