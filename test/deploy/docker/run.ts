import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const exec = promisify(execFile);

type RunOptions = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

/** Runs a program to its end; resolves to what it printed. An error has all of its output. */
export async function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const env = { ...process.env, ...options.env };
  try {
    const { stdout } = await exec(program, args, { ...options, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message}\n${stdout}\n${stderr}`);
  }
}
