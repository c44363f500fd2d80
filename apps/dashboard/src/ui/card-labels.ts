const roles: Readonly<Record<string, string>> = {
  TABLE: 'table',
  THEAD: 'rowgroup',
  TBODY: 'rowgroup',
  TR: 'row',
  TH: 'columnheader',
  TD: 'cell',
};

/**
 * Gives every cell the heading of its column, which a card shows beside the value, and every part of the table the role that
 * it has by itself: browsers take that away from a table that is laid out as something else.
 */
export function labelCells(frame: HTMLElement): void {
  for (const part of frame.querySelectorAll('table, thead, tbody, tr, th, td'))
    if (!part.hasAttribute('role')) part.setAttribute('role', roles[part.tagName]!);
  const headings = [...frame.querySelectorAll('thead th')].map(heading => heading.textContent ?? '');
  for (const row of frame.querySelectorAll('tbody tr'))
    for (const [column, cell] of [...row.children].entries())
      if (cell instanceof HTMLElement) cell.dataset.label = headings[column] ?? '';
}
