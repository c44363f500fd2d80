/** One import of a source file, static or dynamic. */
export type Import = {
  readonly specifier: string;
  readonly line: number;
  /** Erased before the code runs. */
  readonly typeOnly: boolean;
  readonly names: readonly string[];
};

/** The imports of a source text. A statement begins its line, which keeps examples in comments out. */
export function importsOf(source: string): readonly Import[] {
  const statements = source.matchAll(
    /^[ \t]*(?:import|export)\s+(?<type>type\s+)?(?:(?<clause>[\w$*{},\s]*?)\s*from\s*)?['"](?<specifier>[^'"]+)['"]/gm,
  );
  const calls = source.matchAll(/^(?!\s*(?:\/\/|\*)).*?\bimport\(\s*['"](?<specifier>[^'"]+)['"]/gm);
  return [...statements, ...calls].map(match => {
    const { type, clause = '', specifier = '' } = match.groups ?? {};
    const names = namesOf(clause);
    return {
      specifier,
      line: lineOf(source, match.index + match[0].lastIndexOf(specifier)),
      typeOnly: type !== undefined || (names.length > 0 && names.every(name => name.startsWith('type '))),
      names: names.map(name => name.replace(/^type /, '')),
    };
  });
}

/** Lines that read `process.env`, leaving comments out. */
export function environmentReads(source: string): readonly number[] {
  const reads = source.matchAll(/^(?!\s*(?:\/\/|\*|\/\*)).*\bprocess\s*\.\s*env\b/gm);
  return [...reads].map(match => lineOf(source, match.index));
}

/** `{ a, type b as c }` and `d` as `a`, `type b`, `d`. */
function namesOf(clause: string): string[] {
  return clause
    .split(/[{},]/)
    .map(name =>
      name
        .trim()
        .replace(/\s+as\s+\S+$/, '')
        .replace(/\s+/g, ' '),
    )
    .filter(Boolean);
}

function lineOf(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}
