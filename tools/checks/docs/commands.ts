import type { Api } from './api.ts';

/** What a command on a page may refer to. */
export type Commands = {
  /** The scripts of each package.json, by the folder of the workspace; those of the root under ''. */
  readonly scripts: ReadonlyMap<string, ReadonlySet<string>>;
  /** The output of `signpost help`: one command with its options per line. */
  readonly usage: string;
  readonly api: Api;
  /** Every test file. */
  readonly tests: readonly string[];
};

/** Why this command cannot be run as written, or undefined. Other programs are not checked. */
export function commandFault(words: readonly string[], known: Commands): string | undefined {
  const [program, ...rest] = words;
  const main = words.findIndex(word => /^apps\/server\/(signpost\.js|src\/main\.ts)$/.test(word));
  if (main >= 0) return signpostFault(words.slice(main + 1), known);
  if (program === 'signpost') return signpostFault(rest, known);
  if (program === 'npm') return npmFault(rest, known);
  if (program === 'curl') return curlFault(rest, known);
  return undefined;
}

function npmFault(words: readonly string[], known: Commands): string | undefined {
  const dashes = words.indexOf('--');
  const own = dashes < 0 ? words : words.slice(0, dashes);
  const isWorkspace = (word: string | undefined) => word === '--workspace' || word === '-w';
  const workspace = own.find((_, index) => isWorkspace(own[index - 1])) ?? '';
  const [verb, named] = own.filter((word, index) => !word.startsWith('-') && !isWorkspace(own[index - 1]));
  const script = verb === 'run' ? named : verb === 'test' ? verb : undefined;
  if (script === undefined || isPlaceholder(script)) return undefined;
  if (!known.scripts.get(workspace)?.has(script)) return `npm run ${script}: there is no such script`;
  const handedOn = dashes < 0 ? [] : words.slice(dashes + 1);
  return script === 'signpost' ? signpostFault(handedOn, known) : filterFault(script, handedOn, known);
}

const endings: Readonly<Record<string, string>> = {
  test: '.test.ts',
  'test:it': '.it.ts',
  'test:e2e': '.e2e.ts',
};

/** `npm test -- signature` runs the files whose path contains the word. */
function filterFault(script: string, words: readonly string[], { tests }: Commands): string | undefined {
  const ending = endings[script];
  if (ending === undefined) return undefined;
  const files = tests.filter(file => file.endsWith(ending));
  const unknown = words.find(word => !word.startsWith('-') && !files.some(file => file.includes(word)));
  return unknown && `npm run ${script} -- ${unknown}: no test has this in its path`;
}

/** Words that are filters, not paths. */
export const isFilter = (words: readonly string[], index: number) =>
  words[0] === 'npm' && words.slice(1, 3).some(word => word in endings) && index > words.indexOf('--');

function signpostFault(words: readonly string[], { usage }: Commands): string | undefined {
  const [command, second] = words;
  if (command === undefined || isPlaceholder(command) || command.endsWith('help')) return undefined;
  const lines = usage.split('\n').filter(line => line.startsWith(`signpost ${command} `));
  if (lines.length === 0) return `signpost ${command}: there is no such command`;
  const isAdmin = command === 'admin' && second !== undefined && !isPlaceholder(second);
  const named = isAdmin ? lines.filter(line => line.startsWith(`signpost admin ${second} `)) : lines;
  if (named.length === 0) return `signpost admin ${second}: there is no such command`;
  const options = words.filter(word => word.startsWith('--')).map(word => word.split('=')[0]!);
  const unknown = options.find(option => !named.some(line => line.split(/[\s[\]]+/).includes(option)));
  return unknown && `signpost ${command} has no option ${unknown}`;
}

/** `…`, `<name>`, `NAME`: placeholders for the reader. */
const isPlaceholder = (word: string) => /^[A-Z_]+$|[…<>]/.test(word);

function curlFault(words: readonly string[], { api }: Commands): string | undefined {
  const url = words.find(word => /^(https?:\/\/|\$\{?\w+\}?\/|(localhost|127\.0\.0\.1)[:/])/.test(word));
  if (url === undefined) return words.length === 0 ? undefined : 'curl without a URL';
  const [, host = '', target = '/'] = /^(?:https?:\/\/)?([^/?]+)(.*)$/.exec(url) ?? [];
  if (!isOurs(host)) return URL.canParse(url) ? undefined : `${url} is no URL`;
  const after = (...names: readonly string[]) => words[words.findIndex(word => names.includes(word)) + 1];
  const has = (...names: readonly string[]) => words.some(word => names.includes(word));
  const data = ['-d', '--data', '--data-raw', '--data-binary', '--json'];
  const body = has(...data) ? after(...data) : undefined;
  const method = has('-X', '--request') ? after('-X', '--request')! : body === undefined ? 'GET' : 'POST';
  const isFile = body?.startsWith('@') === true;
  return api.requestFault({ method, target: target || '/', body: isFile ? undefined : body });
}

/** This machine, a variable, or a name that is reserved for examples. */
const isOurs = (host: string) =>
  /^(localhost|127\.0\.0\.1|\$.*|.*\.example|(.*\.)?example\.(com|org|net))(:\d+)?$/.test(host);
