import { readFileSync } from 'node:fs';
import { baseUrl } from './parsers.ts';
import { renamedSettings } from './renamed-settings.ts';
import { type Environment, type Setting, type Settings, settings } from './settings.ts';
import { findTypos, type Typo } from './typos.ts';

/** Everything that an operator can set, read from the environment once, here and nowhere else. */
export type Config = { readonly [Key in keyof Settings]: ReturnType<Settings[Key]['parse']> };

/** Reads every setting, or throws one error that names all that are wrong. */
export function readConfig(env: Environment = process.env): Config {
  const problems = Object.entries(renamedSettings)
    .filter(([oldName]) => env[oldName])
    .map(([oldName, newName]) => `  ${oldName}: is now called ${newName}. Rename it.`);
  const values = Object.entries<Setting>(settings).map(([key, setting]) => {
    try {
      return [key, setting.parse(textOf(setting, env), name => textOf(settingNamed(name), env))];
    } catch (error) {
      problems.push(`  ${setting.name}: ${messageOf(error)} — ${setting.description}`);
      return [key, undefined];
    }
  });
  if (problems.length > 0) {
    throw new Error(
      `These settings are missing or wrong:\n${problems.join('\n')}\n\`signpost config\` explains every setting.`,
    );
  }
  return Object.fromEntries(values) as Config;
}

/** Settings of a command that works through the API, as any other client does. */
export type CallerSettings = { readonly url: string; readonly key: string };

export function readCallerSettings(env: Environment = process.env): CallerSettings {
  const file = env.SIGNPOST_KEY_FILE;
  const key = env.SIGNPOST_KEY || (file ? readSecret('SIGNPOST_KEY_FILE', file) : '');
  if (!env.SIGNPOST_URL || !key) {
    throw new Error(
      'Set SIGNPOST_URL to the address of the API, and SIGNPOST_KEY (or SIGNPOST_KEY_FILE) to an API key of the account.',
    );
  }
  try {
    return { url: baseUrl(env.SIGNPOST_URL), key };
  } catch (error) {
    throw new Error(`SIGNPOST_URL: ${messageOf(error)}.`);
  }
}

export const readTypos = (): readonly Typo[] => findTypos(process.env);

function textOf(setting: Setting, env: Environment): string {
  const file = setting.secret ? env[`${setting.name}_FILE`] : undefined;
  const given = env[setting.name] || (file ? readSecret(`${setting.name}_FILE`, file) : undefined);
  if (given) return given;
  if (setting.optional) return '';
  if (setting.default === undefined) {
    const typo = findTypos(env).find(({ meant }) => meant === setting.name);
    throw new Error(typo ? `is required; ${typo.given} is set: is that a typo?` : 'is required');
  }
  return setting.default.replace(/\$([A-Z_]+)/g, (_, name: string) => {
    return textOf(settingNamed(name), env).replace(/\/+$/, '');
  });
}

const settingNamed = (name: string): Setting =>
  Object.values<Setting>(settings).find(setting => setting.name === name)!;

function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    // What is not a path may be the secret itself.
    const shown = /^[./]/.test(file) && !file.includes('://') ? file : 'something';
    throw new Error(
      `${name} names ${shown}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
