import { settings } from '../../apps/server/src/config.ts';

type Known = {
  readonly name: string;
  readonly secret?: true;
  readonly default?: string;
  readonly optional?: true;
};

const known: readonly Known[] = Object.values<Known>(settings);

/** Not ours: Node's own. */
const foreign = new Set(['NODE_ENV']);

/** Names of an environment that no setting has, so that whoever sets them is mistaken. */
export function unknownSettings(names: readonly string[]): readonly string[] {
  return names.filter(name => !foreign.has(name) && !known.some(setting => isNamed(setting, name)));
}

/** Settings without a default that an environment does not give. */
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
