import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type WrkResult = {
  readonly perSecond: number;
  readonly requests: number;
  readonly p99Ms: number;
  /** CPU time of wrk itself for one request. */
  readonly cpuMicros: number;
};

/** Sends GET requests for these paths by wrk (Debian: apt-get install wrk), whose own cost is small. */
export async function runWrk(
  url: string,
  { scriptFile, connections, seconds }: { scriptFile: string; connections: number; seconds: number },
): Promise<WrkResult> {
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', scriptFile, url];
  // The time of the child, which wrk does not print.
  const command = `TIMEFORMAT='cpu %U %S'; time ${wrk.map(word => `'${word}'`).join(' ')}`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command]);
  const number = (pattern: RegExp, text = stdout) => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  const failed = /Non-2xx or 3xx responses: \d+|Socket errors: [^\n]+/.exec(stdout)?.[0];
  if (failed) throw new Error(`${failed} at ${url}`);
  const requests = number(/(\d+) requests in /);
  const [, value, unit] = /99%\s+([\d.]+)(us|ms|s)\b/.exec(stdout) ?? [];
  const cpuSeconds = number(/cpu ([\d.]+)/, stderr) + number(/cpu [\d.]+ ([\d.]+)/, stderr);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    requests,
    p99Ms: Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'],
    cpuMicros: (cpuSeconds * 1e6) / requests,
  };
}

/** Requests that are formatted once, in turn. */
export function writeWrkScript(paths: readonly string[], headers: Readonly<Record<string, string>>): string {
  const file = join(mkdtempSync(join(tmpdir(), 'signpost-wrk-')), 'requests.lua');
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const set = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`,
  );
  const lines = [
    ...set,
    `local paths = {${paths.map(quoted).join(',')}}`,
    'local requests = {}',
    'local next = 0',
    'init = function() for i, path in ipairs(paths) do requests[i] = wrk.format("GET", path) end end',
    'request = function() next = next % #requests + 1; return requests[next] end',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
