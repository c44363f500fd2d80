import { Badge, NavLink, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type ComponentType, Fragment, type ReactNode } from 'react';
import { shellText } from '../../strings/shell.ts';
import { formatCompact } from '../../ui/format.ts';
import { openAppealsQuery, openReportsQuery } from '../operator/open-queries.ts';
import { SavedViews } from '../views/saved-views.tsx';
import { useMe } from './me.ts';
import { ModeSwitch } from './mode-switch.tsx';
import classes from './navigation.module.css';
import { developers, operator, type Place, permitted, placeOf, settings, work } from './places.ts';

const words = shellText.navigation;

/** What stands at the end of an entry, such as a number. */
const asides: Readonly<Record<string, ComponentType>> = {
  '/operator/reports': OpenReports,
  '/operator/suspensions': OpenAppeals,
};

/** What stands below an entry. */
const belows: Readonly<Record<string, ComponentType<{ readonly onChoice: () => void }>>> = {
  '/codes': SavedViews,
};

/** `onChoice` is called also for the page that is open already: a menu over it has to go then too. */
export function Navigation({ onChoice }: { readonly onChoice: () => void }) {
  const { user, account, service } = useMe();
  const mine = (places: readonly Place[]) => permitted(places, account?.permissions ?? []);
  return (
    <Stack component="nav" aria-label={words.label} gap={2}>
      {account && (
        <>
          <Places places={mine(work)} onChoice={onChoice} />
          <Section title={words.developers}>
            <Places places={mine(developers)} onChoice={onChoice} />
            <ModeSwitch onChoice={onChoice} />
          </Section>
          <Section title={words.settings}>
            <Places places={mine(settings(service.sign_up))} onChoice={onChoice} />
          </Section>
        </>
      )}
      {user.is_operator && (
        <Section title={words.operator}>
          <Places places={operator} onChoice={onChoice} />
        </Section>
      )}
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <Text size="xs" c="dimmed" mt="lg" mb={4} px="sm">
        {title}
      </Text>
      {children}
    </>
  );
}

type PlacesProps = { readonly places: readonly Place[]; readonly onChoice: () => void };

function Places({ places, onChoice }: PlacesProps) {
  const { pathname } = useLocation();
  const current = placeOf(pathname, places);
  return places.map(place => {
    const { to, label, icon: Icon, isOutside } = place;
    const Aside = asides[to];
    const shared = {
      label,
      className: classes.entry,
      leftSection: <Icon size={18} stroke={1.7} aria-hidden />,
      onClick: onChoice,
    };
    if (isOutside)
      return (
        <NavLink
          key={to}
          href={to}
          {...shared}
          rightSection={<IconExternalLink size={14} stroke={1.7} aria-hidden />}
        />
      );
    const Below = belows[to];
    return (
      <Fragment key={to}>
        <NavLink
          component={Link}
          to={to}
          activeOptions={{ exact: true }}
          {...shared}
          active={place === current}
          aria-current={place === current ? 'page' : undefined}
          rightSection={Aside && <Aside />}
        />
        {Below && <Below onChoice={onChoice} />}
      </Fragment>
    );
  });
}

/** How many reports wait for somebody. Nothing where none do. */
function OpenReports() {
  const { data = 0 } = useQuery(openReportsQuery);
  return <Waiting count={data} what={words.openReports(data)} />;
}

/** The same for appeals that nobody has answered. */
function OpenAppeals() {
  const { data = 0 } = useQuery(openAppealsQuery);
  return <Waiting count={data} what={words.openAppeals(data)} />;
}

function Waiting({ count, what }: { readonly count: number; readonly what: string }) {
  if (count === 0) return null;
  return (
    <Badge color="red" variant="light" size="sm" className="figures">
      <span aria-hidden="true">{formatCompact(count)}</span>
      <VisuallyHidden>{what}</VisuallyHidden>
    </Badge>
  );
}
