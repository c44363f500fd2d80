import { settings } from '../../apps/server/src/config/settings.ts';

type Known = {
  readonly name: string;
  readonly secret?: true;
  readonly default?: string;
  readonly optional?: true;
};

const known: readonly Known[] = Object.values<Known>(settings);

/** Variables of Node and of PostgreSQL. */
const foreign = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', 'PGDATA']);

/** Variables of an environment that are not settings, and so are mistakes. */
export function unknownSettings(names: readonly string[]): readonly string[] {
  return names.filter(name => !foreign.has(name) && !known.some(setting => isNamed(setting, name)));
}

/** Required settings that an environment lacks. */
export function missingSettings(names: readonly string[]): readonly string[] {
  return known
    .filter(
      setting =>
        setting.default === undefined && !setting.optional && !names.some(name => isNamed(setting, name)),
    )
    .map(({ name }) => name);
}

const isNamed = (setting: Known, name: string) =>
  name === setting.name || (setting.secret === true && name === `${setting.name}_FILE`);
