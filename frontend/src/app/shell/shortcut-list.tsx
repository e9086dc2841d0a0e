import { Modal, Switch } from 'antd'
import { useId } from 'react'
import { setCharacterKeys, useCharacterKeys } from '../../lib/character-keys.ts'
import { type Shortcut, useOffers } from '../../lib/screen-commands.ts'
import { Controls } from '../../ui/controls.tsx'
import { commandKey } from './keys.ts'
import styles from './shortcut-list.module.css'

const everywhere: readonly Shortcut[] = [
  { keys: [commandKey, 'K'], what: 'Command menu' },
  { keys: [commandKey, 'B'], what: 'Collapse or expand the sidebar' },
  { keys: [commandKey, 'Z'], what: 'Undo the last change' },
  { keys: ['F8'], what: 'Go to the notification' },
  { keys: ['/'], what: 'Search the list' },
  { keys: ['?'], what: 'This list' },
]

/** List of the keys that work now: everywhere, and on the screen in view. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const screenShortcuts = useOffers().flatMap(({ shortcuts }) => shortcuts)
  return (
    <Controls>
      <Modal open centered width={520} title="Keyboard shortcuts" footer={null} onCancel={onClose}>
        <div className={styles['groups']}>
          {screenShortcuts.length > 0 && <Group title="On this screen" shortcuts={screenShortcuts} />}
          <Group title="Everywhere" shortcuts={everywhere} />
          <CharacterKeys />
        </div>
      </Modal>
    </Controls>
  )
}

function CharacterKeys() {
  const id = useId()
  const isOn = useCharacterKeys()
  return (
    <div className={styles['setting']}>
      <div>
        <span id={id}>Single-key shortcuts</span>
        <p id={`${id}-hint`}>Letters, / and ? work without Ctrl or ⌘. Switch them off if you press them by accident.</p>
      </div>
      <Switch checked={isOn} onChange={setCharacterKeys} aria-labelledby={id} aria-describedby={`${id}-hint`} />
    </div>
  )
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <h3 className={styles['title']}>{title}</h3>
      <dl className={styles['list']}>
        {shortcuts.map(({ keys, what }) => (
          <div key={`${keys.join(' ')} ${what}`}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
