import { logoPlanFor, printedText, type Style, toCompact, unscannableField } from '@signpost/qr';
import { LRUCache } from 'lru-cache';
import { getKeySpace } from '../kernel/addresses/link-key.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { parseId, type Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { StoredLogo } from './assets/asset.ts';
import * as store from './store.ts';

/** The style that somebody asks for: that of a design, with fields of their own before it. */
export type WantedStyle = {
  readonly designId?: string | undefined;
  readonly style: Style;
  readonly shortCode?: string | undefined;
  readonly domain?: string | null | undefined;
};

/** Where logos are found. */
export type LogoSource = {
  isOwn(db: Database, caller: Caller, id: Uuid): Promise<boolean>;
  findLogo(db: Database, id: Uuid): Promise<StoredLogo | null>;
};

/** Draws a code and reads it: whether the text came back. */
export type Prover = {
  prove(accountId: Uuid, text: string, style: Style, logo: StoredLogo | null): Promise<boolean>;
};

type Parts = { readonly logos: LogoSource; readonly prover: Prover; readonly linkNames: LinkNames };

export type Styles = ReturnType<typeof createStyles>;

/** As long as a generated short code. */
const sampleCode = 'bcdfghjk';

/** Settles styles before codes are made with them: copies designs, and proves what has a logo or a gradient. */
export function createStyles({ logos, prover, linkNames }: Parts) {
  /** One proof for a style and a size of matrix: a bulk of one design costs one. */
  const proven = new LRUCache<string, boolean>({ max: 2000 });

  async function checkLogo(db: Database, caller: Caller, style: Style): Promise<void> {
    const id = style.logo && parseId('ast', style.logo.asset_id);
    if (style.logo && !(id && (await logos.isOwn(db, caller, id))))
      throw new AppError('invalid_request', 'No asset has this id. Upload the logo first.', {
        param: 'style.logo.asset_id',
      });
  }

  /** Throws where no decoder could read a code with this link in this style. */
  async function prove(db: Database, { accountId }: Caller, style: Style, text: string): Promise<void> {
    if (!style.logo && !style.dotsGradient) return;
    const plan = style.logo ? logoPlanFor(text, style.logo, style.compact) : null;
    if (style.logo && !plan)
      throw new AppError(
        'unscannable_style',
        'The short link is too long for a logo of this size. Choose a smaller logo or a shorter link.',
        {
          param: 'style.logo.size',
        },
      );
    const isUsual = printedText(text, style.compact) === text;
    const key = JSON.stringify([style, isUsual, plan?.version, plan?.level, plan ? 0 : text.length]);
    if (proven.get(key)) return;
    const id = style.logo && parseId('ast', style.logo.asset_id);
    const logo = id ? await logos.findLogo(db, id) : null;
    if (!(await prover.prove(accountId, text, style, logo)))
      throw new AppError(
        'unscannable_style',
        'The code could not be read when it was drawn in this style. Choose colours with more contrast or a smaller logo.',
        {
          param: style.logo ? 'style.logo' : 'style.dotsGradient',
        },
      );
    proven.set(key, true);
  }

  const toShortUrl = (caller: Caller, { shortCode = sampleCode, domain = null }: WantedStyle) =>
    linkNames.toUrl({ keySpace: getKeySpace(caller), shortCode, domain });

  async function prepareStyle(
    db: Database,
    caller: Caller,
    wanted: WantedStyle,
    designs: ReadonlyMap<string, Style>,
  ): Promise<Style> {
    const { designId } = wanted;
    const copied = designId === undefined ? {} : designs.get(designId);
    if (!copied) throw new AppError('invalid_request', 'No design has this id.', { param: 'design_id' });
    const style = { ...copied, ...wanted.style };
    const shortUrl = toShortUrl(caller, wanted);
    refuseCompact(wanted.style, shortUrl);
    checkGradientOrder(style);
    await checkLogo(db, caller, style);
    // Colours that cannot be read are refused with the other fields of the code.
    if (unscannableField(style) === null) await prove(db, caller, style, shortUrl);
    return style;
  }

  return {
    /** Each style as the code will have it, or why it cannot. Costs nothing for a plain one. */
    async resolve(
      db: Database,
      caller: Caller,
      wanted: readonly WantedStyle[],
    ): Promise<(Style | AppError)[]> {
      const named = [...new Set(wanted.flatMap(({ designId }) => designId ?? []))];
      const ids = named.flatMap(id => parseId('dsn', id) ?? []);
      const found = ids.length > 0 ? await store.findDesigns(db, caller, ids) : [];
      const byId = new Map(found.map(design => [design.id, design.style]));
      const designs = new Map(
        named.flatMap(id => {
          const style = byId.get(parseId('dsn', id) ?? '');
          return style ? [[id, style] as const] : [];
        }),
      );
      const settled: (Style | AppError)[] = [];
      for (const one of wanted) {
        const { logo, dotsGradient, compact } = one.style;
        const isPlain = one.designId === undefined && !logo && !dotsGradient && !compact;
        settled.push(isPlain ? one.style : await prepareStyle(db, caller, one, designs).catch(toRefusal));
      }
      return settled;
    },

    /** A style that is saved for codes to come. */
    async check(db: Database, caller: Caller, style: Style): Promise<void> {
      const [settled] = await this.resolve(db, caller, [{ style }]);
      if (settled instanceof AppError) throw settled;
      const field = unscannableField(style);
      if (field !== null)
        throw new AppError(
          'unscannable_style',
          'No scanner could read a code in these colours. Choose colours with more contrast.',
          {
            param: `style.${field}`,
          },
        );
    },
  };
}

/** Asked for by name it is refused where it cannot be; copied from a design it is left out of the image, with a warning. */
function refuseCompact({ compact }: Style, shortUrl: string): void {
  if (!compact || toCompact(shortUrl)) return;
  const reason = shortUrl.slice(shortUrl.lastIndexOf('/')).includes('_')
    ? 'A short code with an underscore cannot have a compact code, whose alphabet has none. Choose another short code, or leave out style.compact.'
    : 'Short links of this service begin with a path in lower case, which a compact code would have in upper case. Leave out style.compact.';
  throw new AppError('invalid_request', reason, { param: 'style.compact' });
}

/** The schema cannot say that the stops are in order. */
function checkGradientOrder({ dotsGradient }: Style): void {
  const offsets = dotsGradient?.stops.map(stop => stop.offset) ?? [];
  if (offsets.some((offset, at) => at > 0 && offset < offsets[at - 1]!))
    throw new AppError(
      'invalid_request',
      'The stops of a gradient must be in ascending order of their offsets.',
      {
        param: 'style.dotsGradient.stops',
      },
    );
}

function toRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
