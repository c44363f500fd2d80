import { Box, Kbd, Modal, ScrollArea, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { shellText } from '../../strings/shell.ts';
import { openNewAccount } from '../accounts/open-new-account.ts';
import { ownAccountsQuery } from '../accounts/queries.ts';
import { shownLink } from '../domains/short-base.ts';
import { useMe } from './me.ts';
import classes from './palette.module.css';
import { codeEntry, type Entry, fixedEntries } from './palette-entries.ts';
import { useChangeMode } from './use-change-mode.ts';
import { useEnterAccount } from './use-enter-account.ts';

const words = shellText.palette;
const mostCodes = 6;

type Props = { readonly onClose: () => void; readonly onKeys: () => void };

/** One field for everything: codes by name, pages, actions. */
export function Palette({ onClose, onKeys }: Props) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { entries, note } = useEntries(typed, onClose, onKeys);
  const at = Math.min(chosen, Math.max(0, entries.length - 1));

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen((at + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) entries[at]?.run();
    else return;
    event.preventDefault();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      padding={0}
      size={560}
      attributes={{ content: { 'aria-label': words.label } }}
    >
      <TextInput
        variant="unstyled"
        size="md"
        px="md"
        leftSection={<IconSearch size={18} aria-hidden />}
        placeholder={words.placeholder}
        aria-label={words.placeholder}
        role="combobox"
        aria-expanded
        aria-controls="palette"
        aria-activedescendant={entries[at] ? `palette-${at}` : undefined}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={event => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={press}
        classNames={{ input: classes.input }}
      />
      <ScrollArea.Autosize mah="min(60vh, 420px)" className={classes.list} viewportProps={{ tabIndex: -1 }}>
        <Box role="listbox" id="palette" aria-label={words.label} className={classes.entries}>
          {entries.map((entry, index) => (
            <Choice
              key={`${entry.group} ${entry.id}`}
              entry={entry}
              id={`palette-${index}`}
              isFirst={entries[index - 1]?.group !== entry.group}
              isChosen={index === at}
              onHover={() => setChosen(index)}
            />
          ))}
        </Box>
        <Text size="sm" c="dimmed" px="md" pb={note ? 'sm' : 0} role="status">
          {note}
        </Text>
      </ScrollArea.Autosize>
    </Modal>
  );
}

type ChoiceProps = {
  readonly entry: Entry;
  readonly id: string;
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly onHover: () => void;
};

function Choice({ entry, id, isFirst, isChosen, onHover }: ChoiceProps) {
  const { icon: Icon } = entry;
  return (
    <>
      {isFirst && (
        <Text size="xs" c="dimmed" px="sm" pt={8} pb={4} role="presentation">
          {entry.group}
        </Text>
      )}
      <UnstyledButton
        id={id}
        role="option"
        aria-selected={isChosen}
        tabIndex={-1}
        className={classes.entry}
        data-chosen={isChosen || undefined}
        ref={element => {
          if (isChosen) element?.scrollIntoView({ block: 'nearest' });
        }}
        onMouseMove={onHover}
        onClick={entry.run}
      >
        <Icon size={18} stroke={1.7} aria-hidden />
        <span className={classes.label} title={entry.label}>
          {entry.label}
        </span>
        {entry.hint &&
          (entry.hint.length === 1 ? <Kbd>{entry.hint}</Kbd> : <Text size="xs">{entry.hint}</Text>)}
      </UnstyledButton>
    </>
  );
}

function useEntries(typed: string, onClose: () => void, onKeys: () => void) {
  const mode = useMode();
  const { user, account, accounts, service } = useMe();
  const own = useQuery(ownAccountsQuery);
  const navigate = useNavigate();
  const changeMode = useChangeMode();
  const enterAccount = useEnterAccount();
  const text = typed.trim();
  const [search] = useDebouncedValue(text, 150);
  const codes = useQuery({
    queryKey: [mode, 'palette', search],
    queryFn: ({ signal }) => call('browseQrCodes', { query: { search, page: 1, limit: mostCodes } }, signal),
    enabled: search !== '',
  });
  const done = (act: () => void) => () => {
    onClose();
    act();
  };
  const found = (text === search && text !== '' ? codes.data?.data : undefined) ?? [];
  const entries = [
    ...found.map(code =>
      codeEntry(
        code,
        shownLink(code.short_url, service.short_base_url),
        done(() => void navigate({ to: '/codes/$id', params: { id: code.id } })),
      ),
    ),
    ...fixedEntries(
      text,
      {
        mode,
        isOperator: user.is_operator,
        hasPlans: service.sign_up,
        permissions: account?.permissions ?? [],
        accounts: accounts.filter(({ id }) => id !== account?.id),
        canCreateAccount: own.data?.can_create ?? false,
      },
      {
        go: place =>
          done(() =>
            place.isOutside ? window.location.assign(place.to) : void navigate({ to: place.to }),
          )(),
        newCode: done(() => void navigate({ to: '/codes/new' })),
        changeMode: next => done(() => void changeMode(next))(),
        enterAccount: id => done(() => void enterAccount(id))(),
        newAccount: done(() => void openNewAccount(enterAccount)),
        showKeys: onKeys,
      },
    ),
  ];
  const isSearching = text !== '' && (text !== search || codes.isPending);
  const note = codes.isError
    ? words.notSearched
    : isSearching
      ? words.searching
      : entries.length === 0
        ? words.nothing
        : '';
  return { entries, note };
}
