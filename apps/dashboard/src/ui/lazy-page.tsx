import { type ComponentType, createElement, type ReactNode, use } from 'react';

/** The script of a page could not be loaded: no connection, or a newer dashboard has replaced it. */
export class MissingPage extends Error {
  /** How often in a row. */
  readonly attempts: number;

  constructor(attempts: number, cause: unknown) {
    super('missing page', { cause });
    this.name = 'MissingPage';
    this.attempts = attempts;
  }
}

type Page = (() => ReactNode) & { readonly preload: () => Promise<void> };

/**
 * A page whose script is loaded when somebody goes there. The router's own way reloads the whole document where that fails,
 * which without a connection leaves nothing; here the failure is an error of the page alone, and the next try loads again.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): Page {
  let page: ComponentType | undefined;
  let loading: Promise<void> | undefined;
  let missing: MissingPage | undefined;

  function preload(): Promise<void> {
    if (missing) loading = undefined;
    loading ??= load().then(
      loaded => {
        page = loaded[name];
        missing = undefined;
      },
      cause => {
        missing = new MissingPage((missing?.attempts ?? 0) + 1, cause);
      },
    );
    return loading;
  }

  function show(): ReactNode {
    if (page) return createElement(page);
    if (missing) throw missing;
    use(preload());
    return null;
  }
  return Object.assign(show, { preload });
}
