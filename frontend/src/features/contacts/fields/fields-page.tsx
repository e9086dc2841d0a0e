import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import ProfileOutlined from '@ant-design/icons/ProfileOutlined'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { useQuery } from '@tanstack/react-query'
import { Button, Tabs } from 'antd'
import { lazy, Suspense, useCallback, useState } from 'react'
import { z } from 'zod'
import { attributeChoices } from '../../../lib/choices/attributes.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { useNavigate } from '../../../lib/navigation.ts'
import { useScreenDepth } from '../../../lib/screen-depth.ts'
import { offerUndo } from '../../../lib/undo.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useRemoveAttribute, useSaveAttribute } from './api.ts'
import { FieldDialog } from './field-dialog.tsx'
import styles from './fields-page.module.css'
import { typeNames } from './type-names.ts'

const TagsTab = lazy(async () => ({ default: (await import('../tags/tags-tab.tsx')).TagsTab }))

const address = { tab: z.literal('tags').optional() }

/** Shows what a workspace keeps of its contacts beside name, phone and city: fields of its own, and tags. */
export function FieldsPage() {
  const [{ tab = 'fields' }, change] = useUrlState(address)
  const navigate = useNavigate()
  const leave = useCallback(() => void navigate('/contacts'), [navigate])
  useScreenDepth('Fields and tags', leave)
  const { data, isLoadingError, isFetching, refetch } = useQuery(attributeChoices())
  const mayNotChange = useIsRefused('segments:write')
  // Each opening starts afresh; it stays mounted while it closes with its motion.
  const [dialog, setDialog] = useState<{ number: number; open: boolean; attribute?: Attribute }>()
  const show = (attribute?: Attribute) =>
    setDialog({ number: (dialog?.number ?? 0) + 1, open: true, ...(attribute && { attribute }) })
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => show()}>
      Add Field
    </Button>
  )
  const fields = data ? (
    data.length === 0 ? (
      <EmptyState
        icon={<ProfileOutlined />}
        title="No fields yet"
        message="Add what matters to you, such as a birthday or a loyalty tier. You can use fields in forms, filters and templates."
        {...(!mayNotChange && { action: add })}
      />
    ) : (
      <ul className={styles['list']} aria-label="Fields">
        {data.map((attribute) => (
          <FieldRow
            key={attribute.id}
            attribute={attribute}
            onEdit={mayNotChange ? undefined : () => show(attribute)}
          />
        ))}
      </ul>
    )
  ) : isLoadingError && !isFetching ? (
    <ErrorState message="The fields could not be loaded." onRetry={() => void refetch()} />
  ) : (
    <SkeletonBlocks count={3} height="56px" />
  )
  return (
    <Page
      description="What you store about contacts besides name, phone and city. Columns and tags from imported files appear here automatically."
      actions={tab === 'fields' && !mayNotChange && data && data.length > 0 && add}
    >
      <Tabs
        activeKey={tab}
        onChange={(key) => change({ tab: key === 'tags' ? 'tags' : undefined })}
        items={[
          { key: 'fields', label: 'Fields', children: fields },
          {
            key: 'tags',
            label: 'Tags',
            children: (
              <Suspense fallback={<SkeletonBlocks count={3} height="56px" />}>
                <TagsTab />
              </Suspense>
            ),
          },
        ]}
      />
      {dialog && (
        <FieldDialog
          key={dialog.number}
          attribute={dialog.attribute}
          open={dialog.open}
          onClose={() => setDialog({ ...dialog, open: false })}
        />
      )}
    </Page>
  )
}

function FieldRow({ attribute, onEdit }: { attribute: Attribute; onEdit: (() => void) | undefined }) {
  const { id, name, label, type, choices } = attribute
  const { mutateAsync: save } = useSaveAttribute()
  const { mutateAsync: remove } = useRemoveAttribute()

  async function deleteField(): Promise<void> {
    try {
      await remove(id)
      offerUndo(`${label} deleted. Contacts keep their stored values.`, async () => {
        await save({ of: undefined, fields: { name, label, type, choices } })
      })
    } catch (error) {
      toast.error(explain(error, 'The field could not be deleted. Try again.'))
    }
  }

  return (
    <li className={styles['field']}>
      <span className={styles['words']}>
        <span className={styles['name']} dir="auto" title={label}>
          {label}
        </span>
        {choices.length > 0 && (
          <span className={styles['choices']} dir="auto">
            {choices.join(' · ')}
          </span>
        )}
      </span>
      <span className={styles['type']}>{typeNames[type]}</span>
      {onEdit && (
        <RowMenu
          label={`Actions for the field ${label}`}
          actions={[
            { key: 'edit', label: 'Edit', icon: <EditOutlined aria-hidden />, onSelect: onEdit },
            {
              key: 'delete',
              label: 'Delete',
              icon: <DeleteOutlined aria-hidden />,
              danger: true,
              onSelect: () => void deleteField(),
            },
          ]}
        />
      )}
    </li>
  )
}
