import { isIPv4 } from 'node:net';
import { hasEmptyLabel, parseHost } from '../../kernel/addresses/hosts.ts';

/** A host or URL that a line of a file names. */
export type Entry = { readonly host: string } | { readonly url: string };

/** Reads a line: its entries, none for a comment or a blank line, or null if it cannot be understood. */
export type LineReader = (line: string) => readonly Entry[] | null;

/** The reader of a format, or null if there is no such format. */
export function getReader(format: string): LineReader | null {
  if (format === 'hosts') return skipping(readHosts);
  if (format === 'urls') return skipping(line => toList(urlFrom(line)));
  const column = /^csv:([1-9]\d?)$/.exec(format)?.[1];
  if (column === undefined) return null;
  return skipping(line => {
    const cell = readCell(line, Number(column))?.trim();
    if (cell === undefined) return null;
    return toList(/^https?:/i.test(cell) ? urlFrom(cell) : hostFrom(cell));
  });
}

const toList = (entry: Entry | null) => entry && [entry];

const skipping =
  (read: LineReader): LineReader =>
  line => {
    const text = line.trim();
    return text === '' || text.startsWith('#') ? [] : read(text);
  };

/** Names that every hosts file has for the machine itself. */
const ownNames =
  /^(localhost|localhost\.localdomain|local|broadcasthost|ip6-(localhost|loopback|localnet|mcastprefix|allnodes|allrouters|allhosts)|0\.0\.0\.0)$/i;
const nullAddress = /^(0\.0\.0\.0|127(\.\d{1,3}){3}|::1?|f[ef][0-9a-f]{2}::\d?(%\w+)?|255\.255\.255\.255)$/i;

/** A host by itself, or a line of a hosts file: a null address, then names. */
function readHosts(line: string): readonly Entry[] | null {
  const words = line.replace(/\s#.*$/, '').split(/\s+/);
  const names = words.length > 1 && nullAddress.test(words[0]!) ? words.slice(1) : words;
  if (names.length > 1 && names === words) return null;
  const entries = names.filter(name => !ownNames.test(name)).map(hostFrom);
  return entries.every(entry => entry !== null) ? entries : null;
}

function hostFrom(text: string): Entry | null {
  const host = /[/\\?#@]/.test(text) ? null : parseHost(text);
  // The parser reads any number as an IPv4 address: a column of numbers must not become a list of hosts.
  if (host === null || (isIPv4(host) && text !== host)) return null;
  return { host };
}

function urlFrom(text: string): Entry | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) && !hasEmptyLabel(new URL(text))
    ? { url: text }
    : null;
}

/** One cell of a CSV line, counted from 1. Cells with line breaks are not supported: the file is read line by line. */
function readCell(line: string, column: number): string | null {
  const cells = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/gy;
  for (let n = 1; cells.lastIndex <= line.length; n++) {
    const match = cells.exec(line);
    if (!match) return null;
    const [, quoted, bare = '', end] = match;
    if (n === column) return quoted === undefined ? bare : quoted.replaceAll('""', '"');
    if (end === '') return null;
  }
  return null;
}
