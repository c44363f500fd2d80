import { useLocation } from '@tanstack/react-router';
import { WaitPage } from '../../ui/wait-page.tsx';
import { developers, operator, placeOf, settings, work } from './places.ts';

const places = [...work, ...developers, ...settings(true), ...operator];

/** Stands in for a page whose script is loading. The navigation knows what most pages are called. */
export function PageWait() {
  const { pathname } = useLocation();
  const place = placeOf(pathname, places);
  return <WaitPage title={place?.to === pathname ? (place.title ?? place.label) : undefined} />;
}
