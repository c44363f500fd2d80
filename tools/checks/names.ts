import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the setting of the short base URL is known. Everything else uses LinkNames (kernel/addresses/link-names.ts). */
const knowsShortBase = /^(?:config|doctor)\/|^roles\/shared\.ts$|^commands\/with-engines\.ts$/;
const shortBase = /\bSHORT_BASE_URL\b|\bshortBaseUrl\b/;

/** A function says what it does (`parseHost`, `toRules`), not of what it is something (`hostOf`, `rulesIn`). */
const ending =
  /\bfunction\*?\s+(\w+(?:Of|In))\b|\bconst\s+(\w+(?:Of|In))\s*(?::[^=\n]+)?=\s*(?:async\s*)?(?:<[^>]*>)?\([^;{]*?=>/g;
/** Here it is how one says it. */
const usual = ['oneOf', 'signIn', 'isSignedIn', 'replaceIn', 'fillIn', 'areMultiplesOf'];

export function findNameFaults(file: string, text: string): readonly string[] {
  const names = [...text.matchAll(ending)].map(([, first, second]) => first ?? second!);
  return [
    ...(shortBase.test(text) && !knowsShortBase.test(file)
      ? [`${file}: use LinkNames, not the setting`]
      : []),
    ...names.filter(name => !usual.includes(name)).map(name => `${file}: ${name}: name what it does`),
  ];
}

if (import.meta.main) {
  const source = resolve(import.meta.dirname, '../../apps/server/src');
  const faults = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !/\.(?:test|it|e2e)\.ts$/.test(file))
    .flatMap(file => findNameFaults(file, readFileSync(join(source, file), 'utf8')));
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
