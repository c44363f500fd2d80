import type { Page } from 'playwright-core';
import { type DashboardPage, openPage } from './pages.ts';
import type { Viewport } from './viewport.ts';

/** What a person would call broken about the layout of the open page, for each element one line. */
const look = `(() => {
  const faults = [];
  const describe = element => {
    const words = (element.innerText ?? element.textContent ?? '').trim().replace(/\\s+/g, ' ').slice(0, 60);
    return '<' + element.tagName.toLowerCase() + ' class="' + (element.getAttribute('class') ?? '') + '"> ' + words;
  };
  // For screen readers only, as a heading row is above cards.
  const isUnseen = element => {
    for (let at = element; at; at = at.parentElement) if (at.clientWidth <= 1 && getComputedStyle(at).overflowX === 'hidden') return true;
    return false;
  };
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth)
    faults.push('the page scrolls sideways: ' + root.scrollWidth + ' in ' + root.clientWidth + ' px');

  for (const element of document.querySelectorAll('body *')) {
    if (!(element instanceof HTMLElement) || element.clientWidth <= 1 || !element.checkVisibility()) continue;
    if (['INPUT', 'TEXTAREA', 'SELECT', 'PRE'].includes(element.tagName) || !element.innerText?.trim()) continue;
    const { overflowX, webkitLineClamp } = getComputedStyle(element);
    const isWide = element.scrollWidth > element.clientWidth + 1;
    const hasHint = element.closest('[title]') !== null;
    if (isWide && (overflowX === 'hidden' || overflowX === 'clip') && !hasHint)
      faults.push('cut without a hint: ' + describe(element));
    if (isWide && (overflowX === 'auto' || overflowX === 'scroll'))
      faults.push('scrolls sideways within: ' + describe(element));
    const isTall = webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1;
    if (isTall && !hasHint && !element.parentElement.querySelector('[aria-expanded]'))
      faults.push('lines are cut without a hint: ' + describe(element));
    const hasOwnText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    const { right, width, height } = element.getBoundingClientRect();
    if (hasOwnText && width > 1 && height > 1 && right > innerWidth + 1 && !hasHint && !isUnseen(element))
      faults.push('beyond the edge of the window: ' + describe(element));
  }

  // On a phone, what we have written into a field is read as a whole: its hint, a choice, a date. What people type may be longer.
  const pen = document.createElement('canvas').getContext('2d');
  for (const field of innerWidth > 400 ? [] : document.querySelectorAll('input, textarea')) {
    if (!field.checkVisibility() || field.clientWidth <= 1 || /^(checkbox|radio|file|range|hidden)$/.test(field.type)) continue;
    const isChoice = field.readOnly && field.getAttribute('aria-haspopup') === 'listbox';
    const isMoment = /^(date|time|datetime-local)$/.test(field.type);
    const words = field.value === '' ? field.placeholder : isChoice ? field.value : '';
    const { fontStyle, fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
    pen.font = [fontStyle, fontWeight, fontSize, fontFamily].join(' ');
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const isCut = isMoment
      ? field.scrollWidth > field.clientWidth + 1
      : field.tagName === 'INPUT' && pen.measureText(words).width > room + 1;
    if (isCut) faults.push('cut inside a field: ' + (words || field.value) + ' in ' + Math.round(room) + ' px');
  }

  for (const label of document.querySelectorAll('svg text')) {
    const frame = label.ownerSVGElement.getBoundingClientRect();
    const box = label.getBoundingClientRect();
    if (box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1))
      faults.push('cut in a chart: ' + describe(label));
  }

  // A name has 120 px, or it is short enough to stand in less as a whole.
  const rows = [...document.querySelectorAll('main table[aria-label] tbody tr > :first-child, main ul[aria-label] li a')];
  for (const name of rows) {
    if (!name.checkVisibility() || !name.innerText.trim() || name.getBoundingClientRect().width >= 120) continue;
    const parts = [name, ...name.querySelectorAll('*')].filter(part => part.getBoundingClientRect().width > 1);
    const lines = new Set();
    for (const node of parts.flatMap(part => [...part.childNodes])) {
      if (node.nodeType !== 3) continue;
      const range = document.createRange();
      range.selectNode(node);
      for (const { top, width } of range.getClientRects()) if (width > 1) lines.add(Math.round(top));
    }
    const isCut = parts.some(part => part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1);
    if (lines.size > 1 || isCut)
      faults.push('a name of ' + Math.round(name.getBoundingClientRect().width) + ' px: ' + describe(name));
  }
  return [...new Set(faults)];
})()`;

/** The faults that stay once the page has settled; after a change of its size it is laid out again. */
export async function layoutFaults(page: Page): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  for (let looks = 0; looks < 5; looks++) {
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
    faults = (await page.evaluate(look)) as readonly string[];
    if (faults.length === 0) return [];
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  return faults;
}

/** A page, and what is done on it before it is looked at. */
export type LaidOutPage = DashboardPage & {
  readonly what?: string;
  readonly prepare?: (page: Page) => Promise<void>;
};

/** Opens each page once and looks at it in every size and scheme. Returns every fault with where it was seen. */
export async function walkLayouts(
  page: Page,
  places: readonly LaidOutPage[],
  viewports: readonly Viewport[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of places) {
    await openPage(page, place);
    await place.prepare?.(page);
    for (const { width, scheme } of viewports) {
      await page.setViewportSize({ width, height: width === 375 ? 812 : 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
      const seen = await layoutFaults(page);
      found.push(...seen.map(fault => `${place.path} ${place.what ?? ''}, ${width} px, ${scheme}: ${fault}`));
    }
  }
  return found;
}
