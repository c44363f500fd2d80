import type { Page } from 'playwright-core';

/** Every control on the page that Tab should reach. */
const expected = `(() => {
  const groups = new Set();
  return [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')]
    .filter(element => element.tabIndex >= 0 && !element.disabled && element.checkVisibility() && !element.closest('[inert]'))
    .filter(element => {
      // Tab reaches one radio of a group; arrow keys reach the others.
      if (element.type !== 'radio') return true;
      if (groups.has(element.name)) return false;
      groups.add(element.name);
      return true;
    })
    .map((element, index) => {
      element.dataset.stop ??= String(index);
      return element.type === 'radio' ? 'radio ' + element.name : element.dataset.stop;
    });
})()`;

/** Where the focus is, and whether it is visible. */
const focused = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const key = element.type === 'radio' ? 'radio ' + element.name : (element.dataset.stop ?? element.outerHTML);
  // The parts of a date are stops of their own: its focus is taken away once, and then left where it is.
  if (element.dataset.looked) return { key, isSeen: true, html: '' };
  element.dataset.looked = 'yes';
  const styleOf = target => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(target);
    return { outlined: outlineStyle !== 'none' && parseFloat(outlineWidth) > 0, boxShadow, borderColor };
  };
  // The ring may be drawn by the label of a radio, or by the frame around a field.
  const frame = element.closest('.mantine-Input-input');
  const around = [element, element.parentElement, element.nextElementSibling, element.closest('label'), frame].filter(Boolean);
  const marked = around.map(styleOf);
  element.blur();
  const bare = around.map(styleOf);
  element.focus({ focusVisible: true });
  const isSeen = marked.some((style, at) =>
    style.outlined || style.boxShadow !== bare[at].boxShadow || style.borderColor !== bare[at].borderColor);
  return { key, isSeen, html: element.outerHTML.slice(0, 160) };
})()`;

export type Walk = {
  /** Controls that Tab did not reach. */
  readonly missed: readonly string[];
  /** Controls that had the focus without showing it. */
  readonly unseen: readonly string[];
};

/** Presses Tab through the whole page. */
export async function walkByTab(page: Page): Promise<Walk> {
  const wanted = new Set((await page.evaluate(expected)) as string[]);
  const reached = new Set<string>();
  const unseen: string[] = [];
  for (let step = 0; step < wanted.size * 3 + 10; step++) {
    await page.keyboard.press('Tab');
    const at = (await page.evaluate(focused)) as { key: string; isSeen: boolean; html: string } | null;
    if (!at) continue;
    if (reached.has(at.key) && reached.size >= wanted.size) break;
    reached.add(at.key);
    if (!at.isSeen) unseen.push(at.html);
  }
  const missed = [...wanted].filter(key => !reached.has(key));
  return { missed: await Promise.all(missed.map(key => describe(page, key))), unseen };
}

const describe = async (page: Page, key: string) =>
  String(
    await page.evaluate(
      `(document.querySelector('[data-stop="${key}"]')?.outerHTML ?? '${key}').slice(0, 200)`,
    ),
  );
