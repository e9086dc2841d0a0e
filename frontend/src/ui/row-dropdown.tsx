import MoreOutlined from '@ant-design/icons/MoreOutlined'
import { Dropdown } from 'antd'
import { type ReactNode, useState } from 'react'
import { IconButton } from './icon-button.tsx'

export interface RowAction {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly onSelect: () => void
}

/** Opens as it appears, in the place of the button that asked for it, and takes over its focus. */
export function RowDropdown({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  const [open, setOpen] = useState(true)
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      menu={{
        items: actions.map(({ key, label: text, icon, danger = false, disabled = false }) => ({
          key,
          label: text,
          icon,
          danger,
          disabled,
        })),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation()
          actions.find((action) => action.key === key)?.onSelect()
        },
      }}
    >
      <IconButton label={label} aria-haspopup="menu" autoFocus onClick={(event) => event.stopPropagation()}>
        <MoreOutlined aria-hidden />
      </IconButton>
    </Dropdown>
  )
}
