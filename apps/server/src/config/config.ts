import { readFileSync } from 'node:fs';
import { baseUrl } from './parsers.ts';
import { type Environment, type Setting, type Settings, settings } from './settings.ts';
import { findTypos, type Typo } from './typos.ts';

/** Everything that an operator can set, read from the environment once, here and nowhere else. */
export type Config = { readonly [Key in keyof Settings]: ReturnType<Settings[Key]['parse']> };

const sharedEngines = ['redisUrl', 'natsUrl'] as const satisfies readonly (keyof Settings)[];

/** Engines besides PostgreSQL that a role needs. */
export function listEngines(role: string): readonly (keyof Settings)[] {
  return role === 'solo' ? [] : sharedEngines;
}

/** Reads every setting, or throws one error that names all that are wrong. `required` are those that are needed here. */
export function readConfig(
  env: Environment = process.env,
  required: readonly (keyof Settings)[] = [],
): Config {
  const problems: string[] = [];
  const values = Object.entries<Setting>(settings).map(([key, setting]) => {
    try {
      const text = readText(setting, env, required.includes(key as keyof Settings));
      return [key, setting.parse(text, name => readText(settingNamed(name), env))];
    } catch (error) {
      problems.push(`  ${setting.name}: ${getMessage(error)} — ${setting.description}`);
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

/** The settings of `solo`, which uses neither Redis nor NATS, and the names of those that it ignores. */
export function withoutSharedEngines(config: Config): {
  readonly config: Config;
  readonly ignored: readonly string[];
} {
  const ignored = sharedEngines.filter(key => config[key] !== '').map(key => settings[key].name);
  return { config: { ...config, redisUrl: '', natsUrl: '', busNatsUrl: '', logNatsUrl: '' }, ignored };
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
    throw new Error(`SIGNPOST_URL: ${getMessage(error)}.`);
  }
}

export const readTypos = (): readonly Typo[] => findTypos(process.env);

function readText(setting: Setting, env: Environment, isRequired = false): string {
  const file = setting.secret ? env[`${setting.name}_FILE`] : undefined;
  const given = env[setting.name] || (file ? readSecret(`${setting.name}_FILE`, file) : undefined);
  if (given) return given;
  if (setting.optional && !isRequired) return '';
  if (setting.default === undefined) {
    const typo = findTypos(env).find(({ meant }) => meant === setting.name);
    throw new Error(typo ? `is required; ${typo.given} is set: is that a typo?` : 'is required');
  }
  return setting.default.replace(/\$([A-Z_]+)/g, (_, name: string) => {
    return readText(settingNamed(name), env).replace(/\/+$/, '');
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

const getMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));
