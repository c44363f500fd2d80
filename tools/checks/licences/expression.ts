/** Licences that require no more than a notice. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
]);

/** Whether allowed licences satisfy an SPDX expression: one side of OR, both sides of AND. */
export function isAllowed(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let next = 0;

  function either(): boolean {
    let met = both();
    while (tokens[next] === 'OR') {
      next++;
      const other = both();
      met ||= other;
    }
    return met;
  }

  function both(): boolean {
    let met = parseTerm();
    while (tokens[next] === 'AND') {
      next++;
      const other = parseTerm();
      met &&= other;
    }
    return met;
  }

  function parseTerm(): boolean {
    const token = tokens[next++];
    if (token !== '(') return token !== undefined && allowed.has(token);
    const met = either();
    return tokens[next++] === ')' && met;
  }

  // Remaining words mean an expression that this parser does not know, such as "SEE LICENSE IN file" or "X WITH exception".
  return either() && next === tokens.length;
}
