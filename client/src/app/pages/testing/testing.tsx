import {
  Button,
  Checkbox,
  ColorInput,
  FileButton,
  NativeSelect,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Slider,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Dices, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import { Menu } from '../../../ui/menu/menu.tsx';
import { EmptyState, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme/theme.ts';
import { type ToastType, toasts } from '../../../ui/toasts/engine.ts';
import { Tooltip } from '../../../ui/tooltip.tsx';
import css from './testing.module.css';

const COLOURS = [
  'paper',
  'surface',
  'sunken',
  'field',
  'line',
  'line-strong',
  'ink',
  'ink-soft',
  'accent',
  'accent-wash',
  'good',
  'warn',
  'bad',
  'bad-wash',
] as const;
const TEXTS = ['12', '11', '10', '9', '8', '7', '6', '5', '4', '3', '2', '1', '0'] as const;
const SPACES = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;
const TYPES: readonly ToastType[] = ['success', 'info', 'warning', 'error'];

function Section({
  title,
  fields = false,
  children,
}: {
  title: string;
  /** Labels in a line, whatever else the fields have. */
  fields?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      <div className={fields ? `${css.row} ${css.fields}` : css.row}>{children}</div>
    </section>
  );
}

function Popups() {
  const [open, setOpen] = useState<'free' | 'locked'>();
  return (
    <>
      <Button variant="default" onClick={() => setOpen('free')}>
        Open a popup
      </Button>
      <Button variant="default" onClick={() => setOpen('locked')}>
        Open a locked popup
      </Button>
      <Popup
        open={open !== undefined}
        locked={open === 'locked'}
        onClose={() => setOpen(undefined)}
        title={open === 'locked' ? 'This one is locked' : 'This one closes with Escape'}
      >
        <p>
          {open === 'locked'
            ? 'Neither Escape nor a click beside it closes it. Only the button does.'
            : 'So does a click beside it, and the cross.'}
        </p>
        <PopupActions>
          <Button onClick={() => setOpen(undefined)}>Close it</Button>
        </PopupActions>
      </Popup>
    </>
  );
}

/** `/testing/{deck?}`: every part of the design system, alive. */
export function Component() {
  const { deck: project } = useParams();
  const [checked, setChecked] = useState(true);
  const [amount, setAmount] = useState<number | string>(3);
  const [side, setSide] = useState('front');
  return (
    <Page
      title="Testing"
      lead={
        project ? `Every part of the design system. Project: ${project}` : 'Every part of the design system.'
      }
      actions={<Button>Main action</Button>}
    >
      <Section title="Colours">
        {COLOURS.map((name) => (
          <div key={name} className={css.swatch}>
            <span style={{ background: `var(--${name})` }} />
            {name}
          </div>
        ))}
      </Section>
      <Section title="Type">
        <div className={css.type}>
          <h1>Heading of a page</h1>
          <h2>Heading of a part</h2>
          <h3>Heading of a detail</h3>
          <p>Text to read. Change a word in the table and every card knows.</p>
          <p className={css.soft}>Softer text, for what comes second.</p>
        </div>
        <div className={css.scale}>
          {TEXTS.map((step) => (
            <span key={step} style={{ fontSize: `var(--text-${step})` }}>
              Text {step}
            </span>
          ))}
        </div>
      </Section>
      <Section title="Space and corners">
        {SPACES.map((step) => (
          <div key={step} className={css.space}>
            <span style={{ width: `var(--space-${step})`, height: `var(--space-${step})` }} />
            {step}
          </div>
        ))}
        {['s', 'm', 'l'].map((size) => (
          <div key={size} className={css.corner} style={{ borderRadius: `var(--radius-${size})` }}>
            {size}
          </div>
        ))}
        {['1', '2', '3'].map((level) => (
          <div key={level} className={css.corner} style={{ boxShadow: `var(--shadow-${level})` }}>
            shadow {level}
          </div>
        ))}
      </Section>
      <Section title="Buttons">
        <Button>Filled</Button>
        <Button variant="default">Default</Button>
        <Button variant="subtle">Subtle</Button>
        <Button color={DANGER}>Destroys</Button>
        <Button loading>Busy</Button>
        <Button disabled>Off</Button>
        <Tooltip label="Shows after 200 ms">
          <Button variant="default">Rest here</Button>
        </Tooltip>
        <Menu
          label="A menu"
          className={css.menu}
          items={[
            { label: 'Rename', icon: <Pencil size={15} />, onSelect: () => toasts.show('Renamed.') },
            { label: 'Not now', disabled: true },
            {
              label: 'Delete',
              icon: <Trash2 size={15} />,
              danger: true,
              divided: true,
              onSelect: () => toasts.show('Deleted.'),
            },
          ]}
        >
          <Ellipsis size={18} aria-hidden />
        </Menu>
      </Section>
      <Section title="Fields" fields>
        <TextInput label="Name" placeholder="Salt Road" />
        <TextInput label="With a fault" defaultValue="not an address" error="This does not look right." />
        <NumberInput label="Copies" value={amount} onChange={setAmount} min={0} max={999} />
        <TextInput label="Not to be changed" defaultValue="63.5 mm" disabled />
        <TextInput
          label="With a word of help"
          description="With commas between them."
          placeholder="solo, dice"
        />
        <PasswordInput label="Password" defaultValue="a long enough one" autoComplete="off" w={220} />
        <NativeSelect label="Size" data={['Poker, 63.5 × 88.9 mm', 'Tarot, 69.85 × 120.65 mm']} />
        <ColorInput label="Colour" defaultValue="#a8341b" withEyeDropper={false} />
        <Textarea label="Text" defaultValue="Several lines" />
      </Section>

      <Section title="Choices">
        <Checkbox
          label="Show the grid"
          checked={checked}
          onChange={(event) => setChecked(event.currentTarget.checked)}
        />
        <SegmentedControl
          aria-label="Side"
          value={side}
          onChange={setSide}
          data={[
            { value: 'front', label: 'Front' },
            { value: 'back', label: 'Back' },
          ]}
        />
        <FileButton onChange={(file) => file && toasts.show(`${isolated(file.name)}, ${file.size} bytes.`)}>
          {(props) => (
            <Button variant="default" {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Slider className={css.slider ?? ''} defaultValue={40} thumbLabel="Zoom" />
      </Section>
      <Section title="Messages">
        {TYPES.map((type) => (
          <Button
            key={type}
            variant="default"
            onClick={() =>
              toasts.show(`This is how ${type} looks.`, {
                type,
                actions: [{ buttonText: 'Undo', function: () => toasts.show('Undone.') }],
              })
            }
          >
            Toast: {type}
          </Button>
        ))}
        <Button
          variant="default"
          onClick={() => toasts.show('This one stays.', { autoCloseTime: 0, closeOnClick: false })}
        >
          Toast that stays
        </Button>
        <Popups />
        <Problem title="What went wrong">And what to do about it.</Problem>
      </Section>
      <Section title="Nothing, and not yet">
        <div className={css.grow}>
          <EmptyState
            icon={<Dices size={26} />}
            title="Nothing here yet"
            action={<Button>First step</Button>}
          >
            Says what belongs here.
          </EmptyState>
        </div>
        <div className={css.grow}>
          <Placeholder height={220} radius={16} />
        </div>
      </Section>
    </Page>
  );
}
