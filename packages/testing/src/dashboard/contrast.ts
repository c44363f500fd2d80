import type { Page } from 'playwright-core';

/** A text that is hard to read, with its contrast against what is behind it. */
type FaintText = { readonly text: string; readonly ratio: number };

/**
 * Every text in the chosen elements whose contrast is below `least`, also where it is not in view. By the colours that the
 * browser has computed, mixed as it paints them.
 */
export async function faintTexts(
  page: Page,
  selector: string,
  least = 4.5,
): Promise<{ readonly checked: number; readonly faint: readonly FaintText[] }> {
  return (await page.evaluate(`(${measure})(${JSON.stringify(selector)}, ${least})`)) as {
    checked: number;
    faint: FaintText[];
  };
}

/** Runs in the page, whose policy allows a script by the debugger only. */
const measure = `(selector, least) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const channels = color => {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      known.set(color, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(color);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((top, at) => (top * a + below[at] * (255 - a)) / 255);
  const behind = element => {
    if (!element) return [255, 255, 255];
    const color = channels(getComputedStyle(element).backgroundColor);
    return color[3] === 255 ? color : over(color, behind(element.parentElement));
  };
  const luminance = rgb => {
    const [r, g, b] = rgb.slice(0, 3).map(value => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = new Map();
  let checked = 0;
  for (const root of document.querySelectorAll(selector)) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.trim();
      const element = node.parentElement;
      if (text === '' || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
      checked += 1;
      const ground = behind(element);
      const [a, b] = [over(channels(getComputedStyle(element).color), ground), ground].map(luminance);
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < least) found.set(text, Number(ratio.toFixed(2)));
    }
  }
  return { checked, faint: [...found].map(([text, ratio]) => ({ text: text.slice(0, 80), ratio })) };
}`;
