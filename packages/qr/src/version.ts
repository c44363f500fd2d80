/**
 * Names the look of everything this package draws; it goes into ETags. Raise it whenever the same text, style
 * and size give another picture, so that nobody keeps an old one.
 */
export const rendererVersion = '1';
