import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

type Props<State extends string> = {
  readonly tabs: readonly (readonly [state: State, label: string])[];
  readonly value: State;
  readonly onChange: (state: State) => void;
  readonly children: ReactNode;
};

/** The parts of a list, of which one is shown. */
export function StateTabs<State extends string>({ tabs, value, onChange, children }: Props<State>) {
  return (
    <Tabs value={value} onChange={state => onChange(state as State)} keepMounted={false}>
      <Tabs.List mb="lg">
        {tabs.map(([state, label]) => (
          <Tabs.Tab key={state} value={state}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={value}>{children}</Tabs.Panel>
    </Tabs>
  );
}
