import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useMay } from '../lib/choices/members.ts'
import { useNavigate } from '../lib/navigation.ts'

/** Returns the address of what the audit log says of a record. */
const historyOf = (id: string): string => `/settings?tab=audit&target=${encodeURIComponent(id)}`

/** Leads to who changed a record, and what; for those who may read it. */
export function HistoryLink({ id }: { id: string }) {
  const navigate = useNavigate()
  if (!useMay('audit:read')) return null
  return (
    <Button icon={<HistoryOutlined aria-hidden />} onClick={() => void navigate(historyOf(id))}>
      History
    </Button>
  )
}

/** The same as an entry of a row's menu. */
export function useHistoryAction(): (id: string) => {
  key: string
  label: string
  icon: ReactNode
  onSelect: () => void
}[] {
  const navigate = useNavigate()
  const may = useMay('audit:read') ?? false
  return (id) =>
    may
      ? [
          {
            key: 'history',
            label: 'History',
            icon: <HistoryOutlined aria-hidden />,
            onSelect: () => void navigate(historyOf(id)),
          },
        ]
      : []
}
