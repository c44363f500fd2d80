import { isIP } from 'node:net';
import { addressRanges } from '../kernel/addresses/client-address.ts';
import { checkEngineAddress, type EngineName } from '../kernel/addresses/engine-address.ts';
import { parseHost } from '../kernel/addresses/hosts.ts';

/*
 * How the text of a setting becomes its value. A parser throws what is wrong with the text, as the end of a sentence that
 * begins with the name of the setting. A parser of secrets never repeats the text.
 */

export function text(value: string): string {
  return value;
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): (value: string) => Choice {
  return value => {
    const choice = choices.find(one => one === value);
    if (choice !== undefined) return choice;
    const [first, second] = choices;
    throw new Error(
      choices.length === 2
        ? `"${value}" is neither ${first} nor ${second}`
        : `"${value}" is not one of ${choices.join(', ')}`,
    );
  };
}

export function wholeNumber(min = 1, max = 999_999_999): (value: string) => number {
  const range = max === 999_999_999 ? `of at least ${min}` : `from ${min} to ${max}`;
  return value => {
    const number = /^(0|[1-9]\d{0,8})$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Error(`"${value}" is not a whole number ${range}`);
  };
}

export function ratio(value: string): number {
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(value)) throw new Error(`"${value}" is not a number from 0 to 1`);
  return Number(value);
}

export function port(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw new Error(`"${value}" is not a port`);
  return Number(value);
}

export function host(value: string): string {
  if (isIP(value) === 0 && !/^\w([\w.-]*\w)?$/.test(value))
    throw new Error(`"${value}" is neither an IP address nor a host name`);
  return value;
}

export function baseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error(`"${value}" is not an http or https address`);
  }
  return value.replace(/\/+$/, '');
}

export function optionalUrl(value: string): string {
  return value === '' ? '' : baseUrl(value);
}

export function engineUrl(engine: EngineName): (value: string) => string {
  return value => checkEngineAddress(engine, value);
}

export function optional<Value>(parse: (value: string) => Value): (value: string) => Value | null {
  return value => (value === '' ? null : parse(value));
}

export function orEmpty(parse: (value: string) => string): (value: string) => string {
  return value => (value === '' ? '' : parse(value));
}

export function list(value: string): readonly string[] {
  return value
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
}

export function hosts(value: string): readonly string[] {
  return list(value).map(entry => {
    const name = parseHost(entry);
    if (name === null) throw new Error(`"${entry}" is not a host name, such as go.example.com`);
    return name;
  });
}

export function cidrs(value: string): readonly string[] {
  const ranges = list(value);
  addressRanges(ranges);
  return ranges;
}

/** With or without a port. */
export function nameServers(value: string): readonly string[] {
  const servers = list(value);
  for (const server of servers) {
    const address =
      /^\[(.*)\](:\d+)?$/.exec(server)?.[1] ?? (isIP(server) ? server : server.replace(/:\d+$/, ''));
    if (isIP(address) === 0) throw new Error(`"${server}" is not the IP address of a name server`);
  }
  return servers;
}

export function longSecret(value: string): string {
  if (value !== '' && value.length < 32) throw new Error('is shorter than 32 characters');
  return value;
}

export function encryptionKeys(value: string): readonly Buffer[] {
  return list(value).map((base64, index) => {
    const key = Buffer.from(base64, 'base64');
    if (key.length !== 32) throw new Error(`key ${index + 1} is not 32 bytes in base64`);
    return key;
  });
}

export function smtpUrl(value: string): string {
  if (value !== '' && !(URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol))) {
    throw new Error('is not an smtp:// or smtps:// address');
  }
  return value;
}

/** One line. If it is only a name, the relay may add an address; the doctor warns. */
export function mailSender(value: string): string {
  if (/[\r\n]/.test(value)) throw new Error('has a line break: write it as Name <name@example.com>');
  return value;
}

/** Everybody sees it, in pages and in text files with one field per line: so it is one line with nothing around it. */
export function contact(value: string): string {
  const isMail = /^[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[^\s@<>"',;:]+$/.test(value);
  const isPage = /^https:\/\/[^\s<>"']+$/.test(value) && URL.canParse(value);
  if (value !== '' && !isMail && !isPage)
    throw new Error(`"${value}" is neither an e-mail address nor an https address`);
  return value;
}

/** `key=value` pairs separated by commas, with percent-encoded values, as OpenTelemetry specifies. */
export function otlpHeaders(value: string): Readonly<Record<string, string>> {
  const headers = new Headers();
  for (const [index, pair] of list(value).entries()) {
    try {
      const [, name, encoded] = /^([^=]+)=(.*)$/.exec(pair)!;
      headers.append(name!.trim(), decodeURIComponent(encoded!.trim()));
    } catch {
      throw new Error(`header ${index + 1} is not written as key=value, with a percent-encoded value`);
    }
  }
  return Object.fromEntries(headers);
}
