import { spawn } from 'node:child_process';

export type CommandOptions = { readonly cwd: string; readonly env?: Readonly<Record<string, string>> };

/** Runs a program and returns what it printed. When it fails, the end of its output is in the error. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const env = { ...process.env, ...options.env };
  const child = spawn(program, args, { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const outputs = { out: '', all: '' };
  child.stdout.on('data', chunk => {
    outputs.out += chunk;
    outputs.all += chunk;
  });
  child.stderr.on('data', chunk => (outputs.all += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve(outputs.out);
      else
        reject(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${outputs.all.slice(-3_000)}`));
    });
  });
}
