import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { Badge, Button } from 'antd'

/** Opens the list of what a person has to look at; absent where there is nothing. */
export function AttentionButton({
  list,
  onOpen,
}: {
  list: { readonly data?: { readonly total: number } | undefined }
  onOpen: () => void
}) {
  const waiting = list.data?.total ?? 0
  if (waiting === 0) return null
  return (
    <Badge count={waiting} overflowCount={99} size="small">
      <Button block icon={<WarningOutlined aria-hidden />} aria-label={`To look at: ${waiting}`} onClick={onOpen}>
        To Look At
      </Button>
    </Badge>
  )
}
