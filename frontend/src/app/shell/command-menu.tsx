import { Command, useCommandState } from 'cmdk'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useOffers } from '../../lib/screen-commands.ts'
import { undoChange, useUndoables } from '../../lib/undo.ts'
import { setThemeMode, useThemeMode } from '../../ui/theme-mode.ts'
import { paths } from '../paths.ts'
import { routes } from '../routes.ts'
import styles from './command-menu.module.css'
import { commandKey, enter, maxSearch } from './keys.ts'
import { navIcons } from './nav-icons.ts'
import { toggleSidebar } from './sidebar-state.ts'
import type { Overlay } from './use-shell-keys.ts'

/** Knows every kind of record: loaded once there is something to find. */
const FoundRecords = lazy(async () => ({ default: (await import('./found-records.tsx')).FoundRecords }))
/** Shorter words would find nearly everything. */
const minSearch = 2

interface Props {
  /** Text typed while the menu was still loading. */
  readonly typedAhead: RefObject<string>
  readonly onClose: () => void
  readonly onOpen: (overlay: Overlay) => void
}

/** Menu behind Ctrl or Cmd with K: go to any screen, find any record, act on the one in view, undo the last change. */
export function CommandMenu({ typedAhead, onClose, onOpen }: Props) {
  const [search, setSearch] = useState('')
  const [chosenAhead, setChosenAhead] = useState<string>()
  // Done after rendering: keys are pressed until it is in the page.
  useLayoutEffect(() => {
    const [text = '', ...entered] = typedAhead.current.split(enter)
    setSearch(text)
    if (entered.length > 0) setChosenAhead(text)
  }, [typedAhead])
  const navigate = useNavigate()
  const offered = useOffers().flatMap(({ commands }) => commands)
  const undoables = useUndoables()
  const nextTheme = useThemeMode() === 'dark' ? 'light' : 'dark'
  const run = (what: () => void) => () => {
    onClose()
    what()
  }
  return (
    <Command.Dialog
      open
      loop
      label="Command menu"
      onOpenChange={(open) => !open && onClose()}
      overlayClassName={styles['scrim'] ?? ''}
      contentClassName={styles['dialog'] ?? ''}
    >
      <Command.Input
        value={search}
        onValueChange={setSearch}
        className={styles['input'] ?? ''}
        placeholder="Search, go to a screen or do something…"
        maxLength={maxSearch}
        onFocus={({ currentTarget }) => queueMicrotask(() => toEnd(currentTarget))}
      />
      <Command.List className={styles['list'] ?? ''}>
        <Command.Empty className={styles['empty'] ?? ''}>No results found.</Command.Empty>
        {offered.length > 0 && (
          <Command.Group heading="Here">
            {offered.map(({ id, title, keywords = [], run: act }) => (
              <Item key={id} value={`here ${title}`} keywords={keywords} onSelect={run(act)}>
                {title}
              </Item>
            ))}
          </Command.Group>
        )}
        {undoables.length > 0 && (
          <Command.Group heading="Undo">
            {undoables.map((entry) => (
              <Item
                key={entry.id}
                value={`undo ${entry.text} ${entry.id}`}
                onSelect={run(() => void undoChange(entry))}
              >
                Undo: {entry.text}
              </Item>
            ))}
          </Command.Group>
        )}
        <Command.Group heading="Go to">
          {routes
            .filter(({ access }) => access === 'protected')
            .map(({ path, title, nav }) => {
              const Icon = nav && navIcons[nav.icon]
              return (
                <Item
                  key={path}
                  value={`go to ${title}`}
                  keywords={[path]}
                  icon={Icon && <Icon aria-hidden />}
                  onSelect={run(() => navigate(path))}
                >
                  {title}
                </Item>
              )
            })}
        </Command.Group>
        <Command.Group heading="Do">
          {actions.map(({ label, to }) => (
            <Item key={label} value={label} onSelect={run(() => navigate(to))}>
              {label}
            </Item>
          ))}
          <Item value={`switch to ${nextTheme} theme`} onSelect={run(() => setThemeMode(nextTheme))}>
            Switch to {nextTheme} theme
          </Item>
          <Item value="toggle sidebar" hint={`${commandKey} B`} onSelect={run(toggleSidebar)}>
            Toggle sidebar
          </Item>
          <Item value="keyboard shortcuts" hint="?" onSelect={run(() => onOpen('shortcuts'))}>
            Keyboard shortcuts
          </Item>
        </Command.Group>
        {search.trim().length >= minSearch && (
          <Suspense>
            <FoundRecords search={search} onChoose={(address) => run(() => navigate(address))()} />
          </Suspense>
        )}
      </Command.List>
      {chosenAhead !== undefined && <ChooseFirst search={chosenAhead} />}
    </Command.Dialog>
  )
}

/** Acts as Enter does, once the menu shows its results for this input. */
function ChooseFirst({ search }: { search: string }) {
  const best = useCommandState((state) => (state.search === search ? state.value : undefined))
  useEffect(() => {
    const first = document.querySelector<HTMLElement>('[cmdk-item]')
    // Until the menu has selected its best result, another one is selected.
    if (best && first?.getAttribute('aria-selected') === 'true') first.click()
  }, [best])
  return null
}

function Item({
  value,
  keywords = [],
  icon,
  hint,
  onSelect,
  children,
}: {
  value: string
  keywords?: readonly string[]
  icon?: ReactNode
  hint?: string
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item value={value} keywords={[...keywords]} className={styles['item'] ?? ''} onSelect={onSelect}>
      <span className={styles['icon']}>{icon}</span>
      <span className={styles['text']}>{children}</span>
      {hint && <kbd>{hint}</kbd>}
    </Command.Item>
  )
}

/** The dialog marks what is in its first field once it has the focus; the next key would replace it. */
function toEnd(field: HTMLInputElement): void {
  field.setSelectionRange(field.value.length, field.value.length)
}

/** Actions that a person often starts, from any screen. Each opens by its address alone. */
const actions = [
  { label: 'New Conversation', to: `${paths.conversations}?new=1` },
  { label: 'New Broadcast', to: `${paths.campaigns}?new=1` },
  { label: 'Add Contact', to: `${paths.contacts}?new=1` },
  { label: 'Contact fields', to: paths.contactFields },
  { label: 'Contact tags', to: `${paths.contactFields}?tab=tags` },
  { label: 'Import contacts', to: `${paths.contacts}?import=1` },
  { label: 'Create Template', to: `${paths.templates}?new=1` },
  { label: 'Create Bot', to: `${paths.bots}?new=1` },
  { label: 'Create Workflow', to: `${paths.workflows}?new=1` },
  { label: 'Add New Number', to: `${paths.numbers}?new=1` },
  { label: 'Create New Webhook', to: `${paths.webhooks}?new=1` },
] as const
