import MoreOutlined from '@ant-design/icons/MoreOutlined'
import { Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'

export interface RowAction {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly onSelect: () => void
}

/** The menu of a row or card. `label` names what it is about: `Actions for Priya Sharma`. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
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
      <IconButton label={label} aria-haspopup="menu" onClick={(event) => event.stopPropagation()}>
        <MoreOutlined aria-hidden />
      </IconButton>
    </Dropdown>
  )
}
