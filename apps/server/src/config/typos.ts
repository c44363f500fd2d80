import { nearestName } from '../kernel/nearest-name.ts';
import { type Environment, type Setting, settings } from './settings.ts';

/** A variable of the environment whose name is almost that of a setting which is not set. */
export type Typo = { readonly given: string; readonly meant: string };

export function findTypos(env: Environment): readonly Typo[] {
  const names = Object.values<Setting>(settings).flatMap(({ name, secret }) =>
    secret ? [name, `${name}_FILE`] : [name],
  );
  const unset = names.filter(name => !env[name]);
  return Object.keys(env)
    .filter(given => !names.includes(given))
    .flatMap(given => {
      const meant = unset.find(name => stem(name) === stem(given)) ?? nearestName(given, unset);
      return meant === null ? [] : [{ given, meant }];
    });
}

/** Singular and plural alike: TRUSTED_PROXY, TRUSTED_PROXIES. */
const stem = (name: string) => name.replace(/(?:IES|Y|S)$/, '');
