import { refuseReleased } from '../../accounts/account.ts';
import { writeEvent } from '../../audit/writer.ts';
import type { AuditEvent } from '../../http/audited.ts';
import { toLinkKey } from '../../kernel/addresses/link-key.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Precondition } from '../../kernel/precondition.ts';
import type { ListedFinder } from '../../moderation/lists/listed.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../../redirect/changes/cache-invalidator.ts';
import { checkRules, idsOfRules, withIds } from '../../rules/checks.ts';
import type { CodeRules, CodeRulesChange } from '../../rules/code-rules.ts';
import { change, type QrCode, type WantedChange } from '../qr-code.ts';
import { refuseUnknown, refuseUnmet } from '../refusals.ts';
import * as store from '../store.ts';
import { distinctTags } from '../tags/tag.ts';
import { checkDestinations, type OwnAddressCheck, refuseListed } from '../targets/destination.ts';
import { listUrls } from '../targets/leading-urls.ts';
import { findRemovedTargets, type RemovedTarget } from '../targets/targets.ts';
import { createEditRecorder } from './edits.ts';

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly ownAddresses: OwnAddressCheck;
  readonly links: CacheInvalidator;
  readonly listed: ListedFinder;
};

type UpdateOptions = {
  readonly required?: Precondition;
  /** What the change is instead for the code as it is, in part; throws where it must not be made. */
  readonly adapt?: (code: QrCode) => Pick<WantedChange, 'active'>;
  /** The event of the edit, which is written with it. Left out or null: none is. */
  readonly toEvent?: (id: Uuid) => AuditEvent | null;
};

/** Edits one code: its fields, its status, its tags and its rules. */
export function createUpdate({ ids, clock, ownAddresses, links, listed }: Parts) {
  async function update(
    on: Database,
    caller: Caller,
    id: Uuid | null,
    wanted: WantedChange,
    { required = {}, adapt, toEvent }: UpdateOptions = {},
  ): Promise<QrCode> {
    const checked = wanted.tags ? { ...wanted, tags: distinctTags(wanted.tags) } : wanted;
    if (wanted.routing) checkRules(wanted.routing);
    checkDestinations(wanted, ownAddresses);
    const [item] = await refuseListed(on, listed, [wanted]);
    if (item instanceof AppError && !(id && (await leadsThere(on, caller, id, wanted)))) throw item;
    const removed = id && hasIds(wanted.routing) ? await findRemovedTargets(on, id) : [];
    const decide = (code: QrCode) => {
      refuseUnmet(required, code);
      return change(
        code,
        { ...checked, ...adapt?.(code), routing: assignRuleIds(code, checked.routing, removed) },
        clock.now(),
      );
    };
    const editor = editorFor(caller, id ? toEvent?.(id) : null);
    const updated = id && (await store.updateCode(on, caller, id, toEditEffects(checked), decide, editor));
    const code = updated || refuseUnknown();
    await on.afterCommit(() => links.invalidate([toLinkKey(code)]));
    return code;
  }

  /** The rules with their ids, which are those that the code has or had. */
  function assignRuleIds(
    code: QrCode,
    wanted: CodeRulesChange | undefined,
    removed: readonly RemovedTarget[],
  ): Partial<CodeRules> | undefined {
    if (!wanted) return undefined;
    const { rules, ...rest } = wanted;
    if (!rules) return rest;
    const current = idsOfRules(code.routing.rules);
    const known = {
      rules: new Set([...current.rules, ...removed.map(({ ruleId }) => ruleId)]),
      targets: new Set([...current.targets, ...removed.map(({ id }) => id)]),
    };
    return { ...rest, rules: withIds(rules, known, ids) };
  }

  function editorFor(caller: Caller, event: AuditEvent | null | undefined): store.Editor {
    const recordEdit = createEditRecorder(ids, caller.via);
    return {
      ids,
      async record(tx, before, after) {
        await refuseReleased(tx, caller);
        await recordEdit(tx, before, after);
      },
      async finish(tx) {
        if (event) await writeEvent(tx, caller, event);
      },
    };
  }

  return update;
}

/** Whether a code leads to every URL of a change already, so that the change adds none. */
async function leadsThere(on: Database, caller: Caller, id: Uuid, wanted: WantedChange): Promise<boolean> {
  const code = await store.findCode(on, caller, id);
  const known = code ? new Set(listUrls(code).map(({ url }) => url)) : new Set();
  return listUrls(wanted).every(({ url }) => known.has(url));
}

/** Whether rules are sent back that the code has, or had before an edit that is undone. */
const hasIds = (routing: CodeRulesChange | undefined) =>
  routing?.rules?.some(({ id, to }) => id !== null || to.some(target => target.id !== null)) ?? false;

const toEditEffects = ({
  active,
  archived,
  destinationUrl,
  tags: wantedTags,
  externalId,
  routing,
}: WantedChange): store.EditEffects => ({
  changesCounts: [active, archived, wantedTags, externalId].some(value => value !== undefined),
  changesTarget:
    destinationUrl !== undefined ||
    active === true ||
    routing?.rules !== undefined ||
    routing?.fallbackUrl !== undefined,
});
