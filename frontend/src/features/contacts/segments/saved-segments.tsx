import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import type { Segment } from '@parley/contracts/contacts/segments'
import { useQuery } from '@tanstack/react-query'
import { explain } from '../../../lib/explain.ts'
import { formatConstant } from '../../../lib/format.ts'
import { offerUndo } from '../../../lib/undo.ts'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { toast } from '../../../ui/toast.ts'
import { segmentOptions } from '../api.ts'
import { useRemoveSegment, useSaveSegment } from './api.ts'
import styles from './saved-segments.module.css'

interface Props {
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
  onEdit: (id: string) => void
}

/** The workspace's own segments in one line; pressing the chosen one leaves it. */
export function SavedSegments({ chosen, onChoose, onEdit }: Props) {
  const { data = [] } = useQuery(segmentOptions())
  const { mutateAsync: remove } = useRemoveSegment()
  const { mutateAsync: save } = useSaveSegment()
  const saved = data.filter(({ version }) => version !== undefined)
  if (saved.length === 0) return null

  async function deleteSegment({ id, name, filter }: Segment): Promise<void> {
    if (id === chosen) onChoose(undefined)
    try {
      await remove({ id })
      offerUndo(`Segment ${name} deleted.`, async () => {
        await save({ of: undefined, fields: { name, filter } })
      })
    } catch (error) {
      toast.error(explain(error, 'The segment could not be deleted. Try again.'))
    }
  }

  return (
    <ul className={styles['segments']} aria-label="Saved segments">
      {saved.map((segment) => {
        const { id, name, description, count } = segment
        return (
          <li key={id} className={styles['segment']} data-chosen={id === chosen}>
            <button
              type="button"
              className={styles['choose']}
              aria-pressed={id === chosen}
              title={description}
              onClick={() => onChoose(id === chosen ? undefined : id)}
            >
              <span className={styles['name']} dir="auto">
                {name}
              </span>
              <span className={styles['count']}>{count === null ? '…' : formatConstant(count)}</span>
            </button>
            <RowMenu
              label={`Actions for the segment ${name}`}
              actions={[
                { key: 'edit', label: 'Edit', icon: <EditOutlined aria-hidden />, onSelect: () => onEdit(id) },
                {
                  key: 'delete',
                  label: 'Delete',
                  icon: <DeleteOutlined aria-hidden />,
                  danger: true,
                  onSelect: () => void deleteSegment(segment),
                },
              ]}
            />
          </li>
        )
      })}
    </ul>
  )
}
