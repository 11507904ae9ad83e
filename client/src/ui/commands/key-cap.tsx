import css from './key-cap.module.css';

/** A shortcut, drawn as the caps of its keys. */
export const KeyCap = ({ keys }: { keys: string }) => <kbd className={css.keyCap}>{keys}</kbd>;
