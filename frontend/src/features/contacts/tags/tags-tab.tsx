import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import TagsOutlined from '@ant-design/icons/TagsOutlined'
import type { Tag } from '@parley/contracts/contacts/tags'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { tagChoices } from '../../../lib/choices/tags.ts'
import { counted } from '../../../lib/format.ts'
import { Link } from '../../../lib/navigation.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import styles from '../fields/fields-page.module.css'
import { useChangeAll } from '../jobs/use-change-all.ts'
import { EditTagDialog } from './edit-tag-dialog.tsx'

/** Tab of the tags that contacts carry. */
export function TagsTab() {
  const { data, isLoadingError, isFetching, refetch } = useQuery(tagChoices())
  const mayNotChange = useIsRefused('segments:write')
  // Each opening starts afresh; it stays mounted while it closes with its motion.
  const [dialog, setDialog] = useState<{ number: number; open: boolean; tag: Tag }>()
  if (!data)
    return isLoadingError && !isFetching ? (
      <ErrorState message="The tags could not be loaded." onRetry={() => void refetch()} />
    ) : (
      <SkeletonBlocks count={3} height="56px" />
    )
  const tags = data.toSorted((left, right) => left.name.localeCompare(right.name))
  return (
    <>
      {tags.length === 0 ? (
        <EmptyState
          icon={<TagsOutlined />}
          title="No tags yet"
          message="Select contacts in the list and choose “Add tag”, or import a file with a column of tags."
        />
      ) : (
        <ul className={styles['list']} aria-label="Tags">
          {tags.map((tag) => (
            <TagRow
              key={tag.name}
              tag={tag}
              onEdit={
                mayNotChange ? undefined : () => setDialog({ number: (dialog?.number ?? 0) + 1, open: true, tag })
              }
            />
          ))}
        </ul>
      )}
      {dialog && (
        <EditTagDialog
          key={dialog.number}
          tag={dialog.tag}
          tags={tags}
          open={dialog.open}
          onClose={() => setDialog({ ...dialog, open: false })}
        />
      )}
    </>
  )
}

function TagRow({ tag: { name, colour, contacts }, onEdit }: { tag: Tag; onEdit: (() => void) | undefined }) {
  const changeAll = useChangeAll()
  const removeTag = () => changeAll({ filter: { tags: [name] } }, { kind: 'remove_tags', tags: [name] })
  return (
    <li className={styles['field']}>
      <span>
        <Pill colour={colour}>{name}</Pill>
      </span>
      <Link className={styles['type']} to={`/contacts?tags=${encodeURIComponent(name)}`}>
        {counted(contacts, 'contact')}
      </Link>
      {onEdit && (
        <RowMenu
          label={`Actions for the tag ${name}`}
          actions={[
            { key: 'edit', label: 'Edit', icon: <EditOutlined aria-hidden />, onSelect: onEdit },
            {
              key: 'delete',
              label: 'Delete',
              icon: <DeleteOutlined aria-hidden />,
              danger: true,
              onSelect: () => void removeTag(),
            },
          ]}
        />
      )}
    </li>
  )
}
