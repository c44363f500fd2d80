import type { OwnAccount, RolePermission } from '@signpost/contract';
import {
  IconBuilding,
  IconFlask,
  IconKeyboard,
  IconPlus,
  type IconProps,
  IconQrcode,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Mode } from '../../api/mode.ts';
import { shellText } from '../../strings/shell.ts';
import { developers, operator, type Place, permitted, settings, work } from './places.ts';

const words = shellText.palette;

/** Something to choose in the palette. */
export type Entry = {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly hint?: string;
  readonly icon: ComponentType<IconProps>;
  readonly run: () => void;
};

type Acts = {
  readonly go: (place: Place) => void;
  readonly newCode: () => void;
  readonly changeMode: (mode: Mode) => void;
  readonly enterAccount: (id: string) => void;
  readonly newAccount: () => void;
  readonly showKeys: () => void;
};

type Visitor = {
  readonly mode: Mode;
  readonly isOperator: boolean;
  readonly hasPlans: boolean;
  readonly permissions: readonly RolePermission[];
  /** Other accounts of this person. */
  readonly accounts: readonly Pick<OwnAccount, 'id' | 'name' | 'role'>[];
  readonly canCreateAccount: boolean;
};

/** Actions and pages whose words hold all that was typed. */
export function fixedEntries(
  typed: string,
  { mode, isOperator, hasPlans, permissions, accounts, canCreateAccount }: Visitor,
  acts: Acts,
): readonly Entry[] {
  const other = mode === 'live' ? 'test' : 'live';
  const actions: readonly Omit<Entry, 'group'>[] = [
    ...(permissions.includes('qrcodes:write')
      ? [{ id: 'new', label: words.newCode, hint: 'C', icon: IconPlus, run: acts.newCode }]
      : []),
    {
      id: 'mode',
      label: other === 'test' ? words.toTest : words.toLive,
      icon: IconFlask,
      run: () => acts.changeMode(other),
    },
    { id: 'keys', label: words.keys, hint: '?', icon: IconKeyboard, run: acts.showKeys },
    ...(canCreateAccount
      ? [{ id: 'account', label: shellText.accounts.new, icon: IconBuilding, run: acts.newAccount }]
      : []),
  ];
  const places = [
    ...permitted([...work, ...developers, ...settings(hasPlans)], permissions),
    ...(isOperator ? operator : []),
  ];
  return [
    ...actions.map(action => ({ ...action, group: words.actions })),
    ...accounts.map(account => ({
      id: account.id,
      group: shellText.accounts.group,
      label: shellText.accounts.switchTo(account.name),
      hint: shellText.roles[account.role],
      icon: IconBuilding,
      run: () => acts.enterAccount(account.id),
    })),
    ...places.map(place => ({
      id: place.to,
      group: words.pages,
      label: place.label,
      icon: place.icon,
      run: () => acts.go(place),
    })),
  ].filter(({ label }) => holds(label, typed));
}

export const codeEntry = (
  { id, name }: { readonly id: string; readonly name: string },
  link: string,
  run: () => void,
): Entry => ({ id, group: words.codes, label: name, hint: link, icon: IconQrcode, run });

const holds = (label: string, typed: string): boolean => {
  const text = label.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
};
