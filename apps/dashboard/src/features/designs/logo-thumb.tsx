import { useQuery } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import classes from './logo-field.module.css';
import { logoQuery } from './logo-picture.ts';

/** A logo by itself, on white, which most are made for. */
export function LogoThumb({ id, label = '' }: { readonly id: string; readonly label?: string }) {
  const { data } = useQuery(logoQuery(useMode(), id));
  return (
    <span className={classes.thumb}>
      {data && <img src={`data:image/png;base64,${data.png}`} alt={label} className={classes.picture} />}
    </span>
  );
}
