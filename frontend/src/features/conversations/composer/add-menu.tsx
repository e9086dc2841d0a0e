import PlusCircleOutlined from '@ant-design/icons/PlusCircleOutlined'
import type { OutgoingCard } from '@parley/contracts/inbox/outgoing-content'
import { Dropdown } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'

const PlaceDialog = lazy(async () => ({ default: (await import('./place-dialog.tsx')).PlaceDialog }))
const ContactCardDialog = lazy(async () => ({ default: (await import('./contact-card-dialog.tsx')).ContactCardDialog }))
const QuestionDialog = lazy(async () => ({ default: (await import('./question-dialog.tsx')).QuestionDialog }))

const items = [
  { key: 'buttons', label: 'Reply buttons' },
  { key: 'list', label: 'List of choices' },
  { key: 'location', label: 'Location' },
  { key: 'contacts', label: 'Contact card' },
] as const
type Kind = (typeof items)[number]['key']

/** Menu of what can be sent beside words and files. */
export function AddMenu({ disabled, onAdd }: { disabled: boolean; onAdd: (content: OutgoingCard) => void }) {
  const [kind, setKind] = useState<Kind>()
  const dialog = { onSend: onAdd, onClose: () => setKind(undefined) }
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="topLeft"
        disabled={disabled}
        menu={{ items: [...items], onClick: ({ key }) => setKind(items.find((item) => item.key === key)?.key) }}
      >
        <IconButton
          label="Add buttons, a list, a place or a contact"
          title="Add"
          disabled={disabled}
          aria-haspopup="menu"
        >
          <PlusCircleOutlined aria-hidden />
        </IconButton>
      </Dropdown>
      <Suspense>
        {kind === 'location' && <PlaceDialog {...dialog} />}
        {kind === 'contacts' && <ContactCardDialog {...dialog} />}
        {(kind === 'buttons' || kind === 'list') && <QuestionDialog {...dialog} isList={kind === 'list'} />}
      </Suspense>
    </>
  )
}
